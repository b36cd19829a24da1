import LinnetReplication

extension Node {
    /// The number of times that a reading begins anew because rows were written meanwhile, before
    /// it is done in one call.
    private static var readingTries: Int { 3 }

    /// Reads many records in slices, between which the node does everything else. The answer is of
    /// the moment at which the reading began.
    ///
    /// A fold waits for it. Where rows have to be written all the same, it begins anew; in the end
    /// all is read in one call.
    func readInSlices<Reading: SlicedReading>(
        _ begin: (RecordReader) throws(ReplicaError) -> Reading
    ) async throws(LinnetError) -> Reading.Answer {
        for _ in 0..<Self.readingTries {
            if let answer = try await tryInSlices(begin) { return answer }
        }
        return try reading { (replica) throws(ReplicaError) in
            var all = try begin(replica.reader)
            return try all.readAll(replica.reader)
        }
    }

    /// Returns nil when a row was written before all was read.
    private func tryInSlices<Reading: SlicedReading>(
        _ begin: (RecordReader) throws(ReplicaError) -> Reading
    ) async throws(LinnetError) -> Reading.Answer? {
        var (read, moment) = try reading {
            (replica) throws(ReplicaError) -> (Reading, RecordMoment?) in
            var read = try begin(replica.reader)
            let isDone = try read.goOn(replica.reader, .usual)
            return (read, isDone ? nil : replica.moment)
        }
        guard moment != nil else {
            return try reading { (_) throws(ReplicaError) in try read.answer() }
        }
        while let held = moment {
            await Task.yield()
            let isDone = try reading { (replica) throws(ReplicaError) -> Bool? in
                guard let reader = replica.reader(at: held) else { return nil }
                return try read.goOn(reader, .usual)
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
