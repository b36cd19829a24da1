import LinnetReplication
import LinnetWire

/// The reason why another group cannot be merged into this one. Nothing of either group was
/// changed, but for what was brought before a batch that is damaged.
public enum MergeProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The other device is of the same group.
    case sameGroup
    /// The other home belongs to no group.
    case noGroup
    /// The groups do not agree on what fields are; each sentence names a difference.
    case schema([String])
    /// This device of the other group wrote two histories, as a copy of its home does.
    case forked(device: String)
    /// Writes of this device of the other group are damaged in that home.
    case damaged(device: String)
    /// A transaction of this device of the other group is too large to be brought.
    case tooLarge(device: String)
    /// The other home folded older changes, which are not kept as they were written.
    case compacted

    init(_ fault: MergeFault) {
        self =
            switch fault {
            case .sameGroup: .sameGroup
            case .forked(let device): .forked(device: device.description)
            case .damaged(let device): .damaged(device: device.description)
            case .tooLarge(let device): .tooLarge(device: device.description)
            case .compacted: .compacted
            case .notABatch: .damaged(device: "")
            }
    }

    /// A sentence that says what is wrong.
    public var description: String {
        switch self {
        case .sameGroup: "both homes belong to the same group"
        case .noGroup: "the other home belongs to no group"
        case .schema(let sentences):
            "the groups do not agree on what fields are: " + sentences.joined(separator: "; ")
        case .forked(let device):
            "device \(device.prefix(8)) of the other group wrote two histories, as a copy of its"
                + " home does"
        case .damaged(let device):
            "what device \(device.prefix(8)) of the other group wrote is damaged there"
        case .tooLarge(let device):
            "a change of device \(device.prefix(8)) of the other group is too large to be brought"
        case .compacted:
            "the other home was compacted, and does not keep older changes as they were written"
        }
    }

    /// A sentence that says what to do.
    var remedy: String {
        switch self {
        case .sameGroup: "Synchronise the two devices."
        case .noGroup: "Name a home of a device of the other group."
        case .schema: "Let this group learn the other one's schema first, or correct one of them."
        case .forked: "Export what the other home shows, and import it here."
        case .damaged:
            "Synchronise the other home with a device of its group, or let it be examined, and"
                + " merge again."
        case .tooLarge, .compacted: "Export what the other home shows, and import it here."
        }
    }
}
