import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A commit of several parts shows whole or not at all. One that is more work than a call does is
/// merged over several calls into records of its own, which take the place of those that show once
/// the last part is merged. Nothing of it is in the store until then, so that the end of the
/// process takes nothing but the work.
extension Replica {
    /// Shows what becomes visible together; false when the next call goes on with it.
    mutating func show(
        _ batches: [VisibleBatch], upTo limit: Int, of group: GroupState, at now: Moment
    ) throws(StorageError) -> Bool {
        let isWhole = batches.count > 1
        let told = ShowingProgress(
            batches: batches.count, areOpened: true, isWhole ? showing : nil)
        let work = batches.reduce(0) { $0 + $1.work }
        if isWhole, work > limit {
            recordBook.staged = StagedCommit(batches, chains.index, recordBook.overlay, told)
            return try goOnStaging(of: group, at: now)
        }
        try showAtOnce(batches[...], told, of: group, at: now)
        return true
    }

    private mutating func showAtOnce(
        _ batches: ArraySlice<VisibleBatch>, _ progress: ShowingProgress, of group: GroupState,
        at now: Moment
    ) throws(StorageError) {
        var told = progress
        for batch in batches {
            told.merged()
            try show(batch, of: group, at: now)
        }
    }

    /// Goes on with the commit that is staged, if there is one; false when the next call does.
    mutating func goOnStaging(
        of group: GroupState, at now: Moment
    ) throws(StorageError) -> Bool {
        guard var staged = recordBook.staged.take() else { return true }
        while let part = staged.next, !staged.isTooLarge(foldPolicy) {
            guard turn.shown < chains.shownInOneCall else {
                recordBook.staged = staged
                chains.isShowingDue = true
                return false
            }
            staged.progress.merged()
            let (stored, body) = try part.read(of: group, in: store)
            noteArrival(body, in: part.row, at: now)
            if let body {
                try turn.writingDerived()
                try merge(body, of: stored, in: part.row, into: &staged, at: now)
            }
            staged.noteMerged(body)
        }
        try adopt(&staged, of: group, at: now)
        return true
    }

    private mutating func merge(
        _ body: BatchBody, of stored: BatchRow, in row: ChainRow,
        into staged: inout StagedCommit, at now: Moment?
    ) throws(StorageError) {
        let damaged = chains.damaged
        var index = staged.chains(from: chains.index)
        let log = BatchLog(store: store, chains: index, group: group, schema: schema)
        if staged.restatements != nil {
            // A part that says a batch again changes the places at which the others count.
            let coming = index.noteShown(restating: body.restates, in: row, at: stored.seq)
            staged.restatements = index.restatements
            if case .takesPlace(of: let sayer) = coming,
                try log.operations(of: sayer) == body.operations
            {
                return
            }
        }
        staged.trade(with: &recordBook, &turn.outbox)
        defer { staged.trade(with: &recordBook, &turn.outbox) }
        try recordBook.merge(body, of: stored, in: row, log, &turn, &author.clock, at: now) {
            damaged.contains($1, of: $0)
        }
    }

    /// Lets a staged commit show: first it takes in what showed since it began, then its records
    /// take the place of the others. What of it is not merged yet is merged at once.
    private mutating func adopt(
        _ staged: inout StagedCommit, of group: GroupState, at now: Moment
    ) throws(StorageError) {
        try turn.writingDerived()
        var missed = LogReplay(log.chains.rows.values) { staged.began[$0.key] ?? $0.start + 1 }
        while let step = try missed.next(log) {
            guard let body = step.body else { continue }
            // What this device said again meanwhile may belong before what is staged.
            if body.restates != nil { chains.isDisordered = true }
            try merge(body, of: step.stored, in: step.row, into: &staged, at: nil)
        }
        staged.takePlace(in: &recordBook)
        turn.outbox.append(staged.outbox)
        for (part, merged) in zip(staged.parts, staged.merged) {
            try noteShown(part, merged, of: group)
        }
        try showAtOnce(
            staged.parts.dropFirst(staged.merged.count), staged.progress, of: group, at: now)
    }

    private mutating func noteShown(
        _ part: VisibleBatch, _ merged: StagedCommit.Merged, of group: GroupState
    ) throws(StorageError) {
        let row = part.row
        guard let operations = merged.operations else {
            let (stored, _) = try part.read(of: group, in: store)
            try chains.damaged.noteLoss(of: stored, in: row, &turn)
            return chains.index.advance(row.key, to: part.seq)
        }
        let before = log
        let coming = chains.index.noteShown(
            restating: merged.restates, in: row, at: part.seq)
        if coming != .fits {
            let (_, body) = try part.read(of: group, in: store)
            var isSame = false
            if case .takesPlace(of: let sayer) = coming, let body {
                isSame = try before.operations(of: sayer) == body.operations
            }
            if !isSame { chains.isDisordered = true }
        }
        try noteApplied(part, operations: operations)
    }
}
