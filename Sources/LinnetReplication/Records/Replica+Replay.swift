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
                try chains.noteLoss(of: step.stored, in: step.row, device: device, &turn)
            }
        }
        // Nobody hears of what was merged again.
        overlay.beginCall()
    }
}
