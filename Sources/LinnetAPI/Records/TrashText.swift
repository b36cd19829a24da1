package import Linnet
package import LinnetCRDT
package import LinnetControl
import LinnetWire

/// Writes deleted records for programs.
package enum TrashText {
    /// Returns a deleted record with when and by whom it was deleted, and what was edited after.
    package static func json(_ deleted: ControlTrash, _ collection: Collection) -> JSON {
        let record = RecordText.json(deleted.record, collection)
        guard case .object(let members) = record else { return record }
        let names = deleted.editedAfter.compactMap { collection.field(id: $0)?.name }
        return .object(
            members + [
                JSON.Member("deleted", .text(TimeText.instant(deleted.deletedMilliseconds))),
                JSON.Member("deletedMilliseconds", .integer(deleted.deletedMilliseconds)),
                JSON.Member("device", deleted.device.map { .text($0.description) } ?? .null),
                JSON.Member("deviceName", .text(deleted.deviceName)),
                JSON.Member("editedAfter", .array(names.map(JSON.text))),
            ])
    }
}
