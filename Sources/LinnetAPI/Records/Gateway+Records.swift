package import Linnet
package import LinnetCRDT
package import LinnetControl
import LinnetReplication

extension Gateway {
    /// Returns a record; nil when there is none.
    package func record(
        _ collection: Collection, _ id: RecordID
    ) async throws(ControlFailure) -> RecordView? {
        try await ask(RecordRequest(RecordKey(collection: collection.id, record: id))).first
    }

    /// Returns the deleted records of a collection.
    package func trash(of collection: Collection) async throws(ControlFailure) -> [ControlTrash] {
        try await ask(TrashRequest(collection.id))
    }

    /// Performs writes as one commit; with an intent, only once. `tell` is told how many hundredths
    /// of the changes are written, and of how many.
    @discardableResult
    package func write(
        _ changes: [Write], intent: [UInt8]? = nil, tell: Tell = { _ in }
    ) async throws(ControlFailure) -> ControlReceipt {
        try await ask(WritingRequest(changes: changes, intent: intent), tell: tell)
    }
}
