/// The reason why a pairing did not succeed.
public enum PairingProblem: Equatable, Sendable {
    /// The code that was typed does not have six digits.
    case badCode
    /// The pairing address is damaged or incomplete.
    case badURI
    /// The pairing address is of a newer version.
    case newerURI
    /// The code was not the one on the other screen; this many tries are left, when that is known.
    case wrongCode(triesLeft: Int?)
    /// The code was wrong too often and is dead.
    case codeDead
    /// Pairing by code is locked until this time, in Unix milliseconds.
    case locked(untilMilliseconds: Int64)
    /// The code or the pairing address is too old.
    case expired
    /// The person at the member's screen said no.
    case denied
    /// Both devices belong to a group already, or neither does.
    case exactlyOneMemberNeeded
    /// The device that answered is not the one of the pairing address.
    case wrongDevice
    /// The other side closed the connection after its answer: the code was probably wrong.
    case closedAfterAnswer
    /// The connection ended too early.
    case interrupted
    /// The group takes no more devices, this device may not admit any, or the other one was
    /// removed.
    case refused
    /// The newcomer's schema contradicts the group's; sentences, which the member is not told, say
    /// where.
    case schemaContradiction([String])
    /// The newcomer's version does not know devices that are bound to scopes, of which the group
    /// has or had one, or the newcomer is to be one.
    case olderVersion
    /// Several devices on the network show a code; these are their short names, as their screens
    /// show them.
    case severalCandidates([String])
    /// Another pairing is under way on this device.
    case busy
    /// The pairing was ended on this device.
    case cancelled
}

extension PairingProblem: CustomStringConvertible {
    /// A sentence for a person that says what is wrong.
    public var description: String {
        switch self {
        case .badCode: "a pairing code has six digits"
        case .badURI: "the pairing address is damaged or incomplete"
        case .newerURI: "the pairing address was made by a newer version of Linnet"
        case .wrongCode(let left):
            left.map { "wrong code; tries left: \($0)" } ?? "the code was not the right one"
        case .codeDead: "the code was wrong too often and is no longer valid"
        case .locked: "pairing by code is locked after too many wrong codes"
        case .expired: "the code has expired"
        case .denied: "the other side said no"
        case .exactlyOneMemberNeeded: "exactly one of the two devices must belong to a group"
        case .wrongDevice: "the device that answered is not the one that showed the pairing address"
        case .closedAfterAnswer: "the other side closed the connection: the code was probably wrong"
        case .interrupted: "the connection ended before the pairing was complete"
        case .refused: "the group did not admit the device"
        case .schemaContradiction(let places):
            "the newcomer's schema contradicts the group's"
                + (places.isEmpty ? "" : ": " + places.joined(separator: "; "))
        case .olderVersion:
            "the newcomer runs an older version, which does not know devices bound to scopes"
        case .severalCandidates(let names):
            "several devices show a code: \(names.joined(separator: ", "))"
        case .busy: "another pairing is under way on this device"
        case .cancelled: "the pairing was ended"
        }
    }

    /// A sentence for a person that says what to do next.
    public var remedy: String {
        switch self {
        case .badCode: "Type the six digits that the other screen shows."
        case .badURI: "Copy or scan the whole pairing address again."
        case .newerURI: "Upgrade Linnet on this device."
        case .wrongCode, .closedAfterAnswer: "Look at the other screen and type its code again."
        case .codeDead, .expired: "Show a new code."
        case .locked: "Wait an hour, or use the pairing address."
        case .denied: "Ask the person at the other device."
        case .exactlyOneMemberNeeded: "Found a group on one device and join with the other."
        case .wrongDevice: "Scan the pairing address from the screen of the right device."
        case .interrupted: "Try again with both devices on the same network."
        case .refused:
            "Pair with an admin's device; a group has at most 32 devices."
                + " A device that was removed needs a new home to come back."
        case .schemaContradiction:
            "Join without a schema to take the group's, or correct the newcomer's."
        case .olderVersion:
            "Install this version on the newcomer and pair again; nothing was added to the group."
        case .severalCandidates: "Give the three characters that the right screen shows."
        case .busy: "Finish or end the other pairing first."
        case .cancelled: "Start again when you are ready."
        }
    }
}
