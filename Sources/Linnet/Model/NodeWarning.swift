/// Something that deserves attention and stops nothing.
public enum NodeWarning: Equatable, Sendable {
    /// A device's clock differs from ours by so many milliseconds, theirs minus ours.
    case clockSkew(Device, milliseconds: Int64)
    /// An announcement on the network comes from a member whose clock is hours off.
    case announcedClockSkew(instance: String, hours: Int64)
    /// A device wrote two histories, as after a restored backup; both are kept.
    case authorForked(Device)
    /// The group uses records that this version does not know.
    case upgradeNeeded
    /// A batch, or an operation of it, has no effect.
    case quarantined(batch: String)
    /// Two devices wrote different records of a log under one identifier; both are kept.
    case idCollision(collection: String, id: String)
    /// A stored batch was damaged on the disk; other devices are asked for it again.
    case damaged(batch: String)
    /// This device writes as a new author from now on, because the reason casts doubt on its past.
    case newAuthor(reason: String)
    /// The keys of an epoch do not open or are not the announced ones.
    case badEpoch
    /// A device sends more than it may.
    case flooded(Device)
    /// What is declared on this device contradicts the group's schema; where, in a sentence.
    case schemaContradiction(String)
}

extension NodeWarning {
    /// By how much a device's time zone is probably set wrong, as hours and minutes; nil when its
    /// clock is not off by about a whole number of quarter hours, as zones are apart.
    public var likelyZoneError: String? {
        guard case .clockSkew(_, let milliseconds) = self else { return nil }
        let (quarter, slack): (UInt64, UInt64) = (900_000, 120_000)
        let size = milliseconds.magnitude
        let quarters = (size + quarter / 2) / quarter
        let rest = size > quarters * quarter ? size - quarters * quarter : quarters * quarter - size
        // No two zones are further apart than 26 hours.
        guard quarters > 0, quarters <= 26 * 4, rest <= slack else { return nil }
        let minutes = quarters % 4 * 15
        return "\(quarters / 4) h" + (minutes == 0 ? "" : " \(minutes) min")
    }
}

extension NodeWarning: CustomStringConvertible {
    /// What deserves attention, in one sentence for a person.
    public var description: String {
        switch self {
        case .clockSkew(let device, let milliseconds):
            "the clock of \(device.label) is \(abs(milliseconds) / 1000) s "
                + (milliseconds > 0 ? "ahead of ours" : "behind ours")
                + (likelyZoneError.map { ", as if its zone were wrong by \($0)" } ?? "")
        case .announcedClockSkew(_, let hours):
            "the clock of a member on the network is \(hours.magnitude) hours "
                + (hours > 0 ? "ahead of ours" : "behind ours")
        case .authorForked(let device):
            "\(device.label) wrote two histories; both are kept"
        case .upgradeNeeded: "the group uses records that this version does not know: upgrade"
        case .quarantined(let batch): "batch \(batch.prefix(8)) has no effect in part or in whole"
        case .idCollision(let collection, let id):
            "two devices wrote different records \(collection)/\(id); both are kept"
        case .damaged(let batch):
            "batch \(batch.prefix(8)) was damaged on this disk; others are asked for it again"
        case .newAuthor(let reason): "this device writes as a new author: \(reason)"
        case .badEpoch: "keys of the group did not open or were not the announced ones"
        case .flooded(let device): "\(device.label) sends more than it may"
        case .schemaContradiction(let place):
            "this device's schema contradicts the group's, whose meaning counts: \(place)"
        }
    }
}

extension Device {
    /// The name, or the beginning of the identifier.
    var label: String { name.isEmpty ? "device \(id.prefix(8))" : name }
}
