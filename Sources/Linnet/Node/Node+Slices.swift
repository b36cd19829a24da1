import LinnetReplication

extension Node {
    /// The number of times that a reading is begun with a bound for the records that it keeps of
    /// those that are written anew meanwhile.
    private static var boundedTries: Int { 3 }

    /// Reads many records in slices, between which the node does everything else. The answer is of
    /// the moment at which the reading began.
    ///
    /// A fold waits for it, or leaves it the records of the rows that it writes. Where these take
    /// too much memory, or rows are taken away, the reading begins anew; in the end it keeps as
    /// many as there are, so that it ends whatever is written meanwhile.
    func readInSlices<Reading: SlicedReading>(
        _ begin: (RecordReader) throws(ReplicaError) -> Reading
    ) async throws(LinnetError) -> Reading.Answer {
        var tries = 0
        while true {
            tries += 1
            let bytes = tries > Self.boundedTries ? Int.max : nil
            if let answer = try await tryInSlices(keeping: bytes, begin) { return answer }
        }
    }

    /// Returns nil when the moment was lost before all was read.
    private func tryInSlices<Reading: SlicedReading>(
        keeping bytes: Int?, _ begin: (RecordReader) throws(ReplicaError) -> Reading
    ) async throws(LinnetError) -> Reading.Answer? {
        var (read, moment) = try reading {
            (replica) throws(ReplicaError) -> (Reading, RecordMoment?) in
            var read = try begin(replica.reader)
            let isDone = try read.goOn(replica.reader, .usual)
            return (read, isDone ? nil : replica.moment(for: read.rest, keeping: bytes))
        }
        guard moment != nil else {
            return try reading { (_) throws(ReplicaError) in try read.answer() }
        }
        while let held = moment {
            await Task.yield()
            let isDone = try reading { (replica) throws(ReplicaError) -> Bool? in
                try replica.goOn(&read, at: held)
            }
            guard let isDone else { return nil }
            if isDone { moment = nil }
        }
        return try await read.answerElsewhere()
    }
}

extension SlicedReading {
    /// Returns what came of many records; to sort them is left to a thread for which nobody waits.
    @concurrent
    fileprivate func answerElsewhere() async throws(LinnetError) -> Answer {
        do throws(ReplicaError) {
            return try answer()
        } catch {
            throw LinnetError(error)
        }
    }
}
