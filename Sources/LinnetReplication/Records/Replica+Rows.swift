import LinnetStorage
package import LinnetWire

extension Replica {
    /// Goes on with a check of every row against the log, or begins one, and makes rows anew that
    /// differ from the log. The report comes with the last step.
    ///
    /// - Parameter operations: the largest number of changes that the step reads; a step that
    ///   compares records takes an eighth as many of them. 20,000 take some milliseconds.
    package mutating func deepCheck(
        operations: Int, at now: Moment
    ) throws(ReplicaError) -> (progress: DeepCheckProgress, effects: [Effect]) {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            if recordBook.inspection.check == nil { try recordBook.startDeepCheck(log) }
            let progress = try stepDeepCheck(operations)
            return (progress, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    private mutating func stepDeepCheck(
        _ operations: Int
    ) throws(StorageError) -> DeepCheckProgress {
        let progress = try recordBook.stepDeepCheck(operations, log, &turn, &chains)
        askForRepairs()
        if progress.report != nil { recordBook.inspection.settleDisputes(in: sessions) }
        return progress
    }

    /// Goes on with a check that the replica began by itself.
    mutating func checkWhenIdle(at now: Moment) throws(StorageError) {
        guard let due = recordBook.inspection.check?.due, due <= now.uptimeMilliseconds,
            recordBook.staged == nil
        else { return }
        _ = try stepDeepCheck(Limits.checkedOperations)
        let pause = foldPolicy.pauseMilliseconds
        recordBook.inspection.check?.due = now.uptimeMilliseconds + pause
    }

    /// Merges again the batches that may be missing in the rows.
    mutating func replay(isOpening: Bool = false) throws(StorageError) {
        try recordBook.replay(log, &turn, &chains, isOpening: isOpening)
        askForRepairs()
    }

    /// Writes the rows anew that were found damaged, if there are any.
    mutating func mendRows() throws(StorageError) {
        guard recordBook.mender.isDue else { return }
        try recordBook.mendRows(log, &turn, &chains)
    }

    /// Counts operations that were merged, and writes some rows when it is time.
    mutating func foldRows(after operations: Int) throws(StorageError) {
        chains.folded(try recordBook.foldRows(after: operations, log))
        if recordBook.fold.isPutOff { chains.isShowingDue = true }
    }

    /// Writes the large row that the call before put off; nothing else of others shows then.
    mutating func writeLargeRow() throws(StorageError) {
        guard recordBook.fold.isPutOff else { return }
        try turn.writingDerived()
        guard let marks = try recordBook.writeLargeRow(runs: runsInOneCall, log) else { return }
        chains.folded(marks)
        if recordBook.fold.isPutOff { chains.isShowingDue = true }
        turn.shown = chains.shownInOneCall
    }

    /// The runs of a text that a call writes into a row.
    private var runsInOneCall: Int { 2 * chains.shownInOneCall }

    /// Writes all rows that are behind.
    mutating func foldAllRows() throws(StorageError) {
        chains.folded(try recordBook.foldAllRows(log))
    }

    /// Writes some rows while nothing else happens, in a transaction of its own. If a power cut
    /// takes them, they are replayed.
    mutating func foldWhenIdle(at now: Moment) throws(StorageError) {
        guard let due = recordBook.fold.due, due <= now.uptimeMilliseconds else { return }
        guard !recordBook.isHeld else { return recordBook.tidy(at: now) }
        try store.begin(.relaxed)
        chains.folded(try recordBook.foldSomeRows(runs: runsInOneCall, log))
        try chains.save(to: store)
        try store.commit()
        recordBook.tidy(at: now, afterRows: true)
    }

    /// Writes all rows that are behind, so that nothing is left to replay.
    package mutating func foldEverything() throws(ReplicaError) {
        guard failure == nil else { return }
        do throws(StorageError) {
            try mendRows()
            guard recordBook.fold.isBehind else { return }
            if !store.isInTransaction { try store.begin(.relaxed) }
            try foldAllRows()
            try chains.save(to: store)
            try store.commit()
        } catch {
            throw .storage(fail(error))
        }
    }
}
