import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// Merges again what was visible and may be missing in the rows: batches after the marks, each
    /// after those that it builds on.
    mutating func replay() throws(StorageError) {
        var log = LogReplay(chains.rows.values) { $0.folded + 1 }
        while let step = try log.next(self) {
            if let body = step.body {
                try merge(body, of: step.stored, in: step.row, at: nil)
                rowFold.work += body.operations.count + foldPolicy.batchWork
            } else {
                try noteLoss(of: step)
            }
        }
        // Nobody hears of what was merged again.
        overlay.beginCall()
    }

    /// Notes a damaged batch that had to be left out; the next opening folds all anew.
    mutating func noteLoss(of step: LogReplay.Step) throws(StorageError) {
        try noteDamage(of: step.stored, in: step.row)
        try turn.writing()
        try store.setValue(.schema, nil)
    }
}
