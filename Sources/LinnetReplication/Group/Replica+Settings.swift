import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// Something that a group keeps for all of its devices, in a row of `devices` that bears the
/// group's identifier.
package enum GroupSetting: Sendable {
    /// The use that devices make of what is found about their programs.
    case integrity

    fileprivate var field: UInt32 {
        switch self {
        case .integrity: Schema.DeviceFields.integrity
        }
    }
}

extension Replica {
    /// Writes a setting of the group.
    package mutating func setGroupSetting(
        _ setting: GroupSetting, _ text: String, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        let field = FieldWrite(setting.field, .text(text))
        return try commit(
            [
                .set(
                    collection: Self.devices, record: Self.recordID(of: group.log.group),
                    fields: [field])
            ], at: now
        ).1
    }
}

extension RecordReader {
    /// Returns a setting of the group; nil while it has none.
    package func groupSetting(_ setting: GroupSetting) throws(ReplicaError) -> String? {
        guard let group = log.group else { return nil }
        let view = try record(Replica.devices, Replica.recordID(of: group.log.group))
        guard
            case .text(let text)? = view?.fields.first(where: { $0.field == setting.field })?
                .values.first
        else { return nil }
        return text
    }
}
