/// The state of a group's recovery phrase, as far as this device knows it.
public struct RecoveryStatus: Equatable, Sendable {
    /// The phrase.
    public enum Phrase: Equatable, Sendable {
        /// The group was founded without a recovery key, and can have no phrase.
        case impossible
        /// Nobody made one yet. The device that founded the group can: this one, or another.
        case notMade(here: Bool)
        /// It was made at this Unix time, in milliseconds, by the clock of the device that made it.
        case made(atMilliseconds: Int64)
    }

    /// The phrase.
    public let phrase: Phrase
    /// The Unix time, in milliseconds, at which a person last showed on this device that the phrase
    /// is right; nil when nobody did.
    public let testedMilliseconds: Int64?
    /// True where the devices leave doors in their mailboxes, so that the phrase and a mailbox are
    /// enough to come back: the phrase was drawn, and not chosen by a person.
    public let opensDoors: Bool
    /// True when the phrase was neither made nor tested for a year.
    public let isTestDue: Bool
}

/// The devices that a recovery takes out of the group.
public enum LostDevices: Equatable, Sendable {
    /// Every other device.
    case all
    /// These, named as the status shows them, or by the beginning of their identifiers.
    case named([String])
}

/// The reason why a recovery phrase cannot be made, used or replaced. Nothing was changed.
public enum RecoveryProblem: Equatable, Sendable {
    /// The group has no recovery key, or this device does not hold the one that it needs.
    case noKeyHere
    /// A phrase was made already.
    case made
    /// No phrase was made yet.
    case notMade
    /// The phrase is another one.
    case wrongPhrase
    /// The phrase has fewer than twelve characters.
    case tooShort
    /// The phrase has more than 1,024 bytes.
    case tooLong
    /// This device was removed from its group with the recovery words, which nothing undoes.
    case removed
    /// A device that is not among the lost ones took this one out of the group.
    case removedBy(String)
    /// The place of the copy has neither a home nor a backup; the text says why.
    case noCopy(String)
    /// The phrase and the mailbox do not lead to the group; the text says why.
    case noDoor(String)
}

extension RecoveryProblem: CustomStringConvertible {
    /// A sentence without a stop that says what is wrong.
    public var description: String {
        switch self {
        case .noKeyHere: "this device holds no recovery key with which words could be made"
        case .made: "the group has recovery words already"
        case .notMade: "the group has no recovery words yet"
        case .wrongPhrase: "these are not the recovery words of the group"
        case .tooShort: "a recovery phrase has at least 12 characters"
        case .tooLong: "a recovery phrase has at most 1024 bytes"
        case .removed: "this device was removed from its group with the recovery words"
        case .removedBy(let device):
            "device \(device.prefix(8)) took this one out of the group, and is not among the lost"
        case .noCopy(let why): "there is no copy of the group there: \(why)"
        case .noDoor(let why): "the mailbox leads to no group: \(why)"
        }
    }

    /// A sentence that says what to do next.
    public var remedy: String {
        switch self {
        case .noKeyHere:
            "Make them on the device that founded the group; one that an older version founded has"
                + " none."
        case .made: "Test them, or replace them with the help of the old ones."
        case .notMade: "Make them on the device that founded the group."
        case .wrongPhrase: "Read them again: their order matters, capitals and hyphens do not."
        case .tooShort, .tooLong: "Choose another, or let seven words be drawn, which is safer."
        case .removed:
            "Read or export what it has; to take part again, join from a new home as a new device."
        case .removedBy: "Name that device among the lost ones, or recover into a new home."
        case .noCopy: "Name the directory of a device of the group, or a backup of one."
        case .noDoor:
            "Name another place that the devices used, or recover from a backup of one of them."
        }
    }
}
