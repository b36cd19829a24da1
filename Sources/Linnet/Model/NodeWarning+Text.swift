import LinnetWire

extension NodeWarning {
    /// The kinds of warnings; the raw values are their names in JSON.
    public enum Kind: String, CaseIterable, Sendable {
        case clockSkew, announcedClockSkew, authorForked, basesDiffer, historyPassedOver,
            authorRenewed, copyInUse,
            upgradeNeeded
        case quarantined, idCollision, damaged, damagedOwn, newAuthor, badEpoch, flooded
        case admissionFrozen, keysNotUsed, scopesNotUnderstood
        case recordRebuilt, recordIncomplete, showsOtherwise, reachedItself, schemaContradiction
        case notWriting, recordSetAside, sendsMuch, restated, integrity, overruled
        case attachmentsDoNotFit
    }

    /// The kind of the warning.
    public var kind: Kind {
        switch self {
        case .clockSkew: .clockSkew
        case .announcedClockSkew: .announcedClockSkew
        case .authorForked: .authorForked
        case .basesDiffer: .basesDiffer
        case .historyPassedOver: .historyPassedOver
        case .authorRenewed: .authorRenewed
        case .copyInUse: .copyInUse
        case .upgradeNeeded: .upgradeNeeded
        case .quarantined: .quarantined
        case .idCollision: .idCollision
        case .recordSetAside: .recordSetAside
        case .damaged: .damaged
        case .damagedOwn: .damagedOwn
        case .newAuthor: .newAuthor
        case .badEpoch: .badEpoch
        case .admissionFrozen: .admissionFrozen
        case .keysNotUsed: .keysNotUsed
        case .scopesNotUnderstood: .scopesNotUnderstood
        case .overruled: .overruled
        case .flooded: .flooded
        case .sendsMuch: .sendsMuch
        case .attachmentsDoNotFit: .attachmentsDoNotFit
        case .recordRebuilt: .recordRebuilt
        case .recordIncomplete: .recordIncomplete
        case .showsOtherwise: .showsOtherwise
        case .reachedItself: .reachedItself
        case .schemaContradiction: .schemaContradiction
        case .notWriting: .notWriting
        case .restated: .restated
        case .integrity: .integrity
        }
    }

    /// The device that the warning is about; nil when it is about none.
    public var device: Device? {
        switch self {
        case .clockSkew(let device, _), .authorForked(let device), .basesDiffer(let device),
            .historyPassedOver(let device),
            .authorRenewed(let device),
            .flooded(let device), .showsOtherwise(let device, _),
            .admissionFrozen(let device), .keysNotUsed(let device, _),
            .scopesNotUnderstood(let device), .overruled(let device, _, _),
            .sendsMuch(let device, _, _, _, _):
            device
        case .announcedClockSkew, .upgradeNeeded, .quarantined, .idCollision, .damaged,
            .damagedOwn, .newAuthor, .copyInUse, .badEpoch, .recordRebuilt, .recordIncomplete,
            .reachedItself,
            .schemaContradiction, .notWriting, .recordSetAside, .restated, .integrity,
            .attachmentsDoNotFit:
            nil
        }
    }

    /// Returns true when two warnings are about the same, so that only one of them shows, with a
    /// count.
    func isLike(_ other: NodeWarning) -> Bool {
        kind == other.kind && device?.id == other.device?.id
    }
}

extension NodeWarning.Kind {
    /// The part of the device under which `doctor` reports it.
    package var part: String {
        switch self {
        case .clockSkew, .announcedClockSkew: "clock"
        case .newAuthor, .authorForked, .authorRenewed, .copyInUse, .basesDiffer,
            .historyPassedOver:
            "copies"
        case .upgradeNeeded: "upgrade"
        case .damagedOwn, .restated: "own chain"
        case .damaged, .quarantined: "batches"
        case .idCollision, .recordRebuilt, .recordIncomplete, .recordSetAside, .showsOtherwise:
            "records"
        case .badEpoch, .keysNotUsed: "group keys"
        case .admissionFrozen, .scopesNotUnderstood: "upgrade"
        case .overruled: "members"
        case .flooded, .sendsMuch, .reachedItself: "peers"
        case .schemaContradiction: "schema"
        case .notWriting, .attachmentsDoNotFit: "disk"
        case .integrity: "integrity"
        }
    }
}

extension NodeWarning: CustomStringConvertible {
    /// A sentence for a person that says what deserves attention.
    public var description: String { sentence(naming: \.label) }

    /// Returns the same sentence with the names that `name` gives devices.
    package func sentence(naming name: (Device) -> String) -> String {
        switch self {
        case .clockSkew(let device, let milliseconds):
            "the clock of \(name(device)) is \(milliseconds.magnitude / 1000) s "
                + (milliseconds > 0 ? "ahead of this device's" : "behind this device's")
                + (likelyZoneError.map { ", as if its zone were wrong by \($0)" } ?? "")
        case .announcedClockSkew(_, let hours):
            "the clock of a member on the network is \(Plural.of(hours.magnitude, "hour")) "
                + (hours > 0 ? "ahead of this device's" : "behind this device's")
        case .authorForked(let device):
            "\(name(device)) wrote two histories, as copies of one home do; both are kept"
        case .basesDiffer(let one), .historyPassedOver(let one): sentenceOfCompaction(name(one))
        case .authorRenewed(let device):
            "\(name(device)) came back as a new author: its home was copied, put back or restored,"
                + " or its disk lost what it wrote"
        case .copyInUse:
            "this device's keys wrote as an author that this home does not know: a copy of the home"
                + " is in use, or was, before this one was put back"
        case .upgradeNeeded: "the group uses records that this version does not know: upgrade"
        case .admissionFrozen(let device):
            "\(name(device)) signed a record that this version does not know: nobody is admitted"
                + " here and the group's keys stay as they are; everything else goes on"
        case .quarantined(let batch): "batch \(batch.prefix(8)) has no effect in part or in whole"
        case .idCollision(let collection, let id):
            "two devices wrote different records \(collection)/\(id); both are kept"
        case .recordSetAside, .recordRebuilt, .recordIncomplete: sentenceOfRecord
        case .sendsMuch(let device, let records, let batches, let bytes, let isHeldBack):
            "\(name(device)) has sent \(Plural.batches(batches)) of"
                + " \((bytes + 999_999) / 1_000_000) MB and signed"
                + " \(Plural.of(records, "membership record")) today"
                + (isHeldBack ? "; what is more waits until tomorrow" : "")
        case .damaged, .damagedOwn: sentenceOfDamage
        case .restated(let batches, let changes, let silent):
            Self.restated(batches, changes) + Self.silence(of: silent, among: batches)
        case .newAuthor(let reason):
            "this home was copied, put back or restored: \(reason); this device writes as a new"
                + " author since"
        case .badEpoch: "keys of the group did not open or were not the announced ones"
        case .keysNotUsed(let device, let reason):
            "the newest group keys of \(name(device)) are not used: "
                + Self.sentence(of: reason, naming: name)
        case .overruled(let device, let author, let isRole):
            Self.overruled(name(device), name(author), isRole: isRole)
        case .scopesNotUnderstood(let device): Self.unread(name(device))
        case .showsOtherwise(let device, let isChecked):
            "\(name(device)) holds the same changes but shows something else"
                + (isChecked
                    ? ", although the records here were held against them"
                    : "; both hold their records against their changes")
        case .reachedItself(let address):
            "\(address) is the address of this device itself; "
                + "it is not tried again before the network changes"
        case .schemaContradiction(let place):
            "this device's schema contradicts the group's, whose meaning counts: \(place)"
        case .flooded(let device): "\(name(device)) sends more than it may"
        case .attachmentsDoNotFit: Self.sentenceOfRoom
        case .integrity(let findings): findings.map(\.text).joined(separator: "; ")
        case .notWriting(let reason): "nothing is written or exchanged here: \(reason)"
        }
    }

    private func sentenceOfCompaction(_ name: String) -> String {
        if case .basesDiffer = self {
            return "\(name) compacted changes that this device lacks, and what they came to is not"
                + " taken on the word of one device"
        }
        return "\(name) wrote another history of changes that are compacted, as a home does that"
            + " was put back to an earlier state: it is passed over where they are"
    }

    private static func unread(_ name: String) -> String {
        "\(name) cannot read what is sealed by scope: nothing is exchanged with it"
    }

    private static let sentenceOfRoom =
        "as many attached files are kept here as a device may keep: no more are fetched by"
        + " themselves until the next start"

    private var sentenceOfDamage: String {
        switch self {
        case .damaged(let batch):
            "batch \(batch.prefix(8)) was damaged on this disk; others are asked for it again"
        case .damagedOwn(let batch):
            "batch \(batch.prefix(8)), which this device wrote, was damaged on this disk;"
                + " another device is known to have it, and until it sends it others lack what"
                + " this device wrote since"
        default: ""
        }
    }

    private static func overruled(_ device: String, _ author: String, isRole: Bool) -> String {
        isRole
            ? "the role that \(author) gave \(device) stood here and has no effect any more: what"
                + " that device wrote meanwhile counts"
            : "the removal of \(device) by \(author) stood here and has no effect any more: that"
                + " device belongs to the group unless another record takes it out, and what it"
                + " wrote counts again"
    }

    private static func sentence(of fault: KeysFault, naming name: (Device) -> String) -> String {
        switch fault {
        case .leavesOut(let other): "\(name(other)) was not given them"
        case .sealedToStranger: "a device outside the group was given them"
        case .calledBad(let other): "\(name(other)) says that they do not open"
        }
    }

    /// A sentence about what became of a record here.
    private var sentenceOfRecord: String {
        switch self {
        case .recordRebuilt(let collection, let id):
            "\(collection)/\(id) was damaged on this disk; it was made anew from its changes"
        case .recordIncomplete(let collection, let id):
            "\(collection)/\(id) and changes of it were damaged on this disk; "
                + "something may be missing until another device sends them"
        case .recordSetAside(let collection, let id):
            "\(collection)/\(id) grew larger than this device can hold: it is empty here, and"
                + " changes of it have no effect here; everything else goes on"
        default: ""
        }
    }

    /// Returns how many batches were lost and how many changes of them were saved.
    private static func restated(_ batches: Int, _ changes: Int) -> String {
        let (were, them) = batches == 1 ? ("was", "it") : ("were", "them")
        return "\(Plural.batches(UInt64(batches))) that this device wrote \(were) lost on this disk"
            + " before another device had \(them); \(Plural.of(changes, "change")) that records"
            + " show \(changes == 1 ? "was" : "were") written again"
    }

    /// Returns what is gone for good of batches that were lost.
    private static func silence(of silent: Int, among batches: Int) -> String {
        let gone = ", and values that had been replaced since are gone from the history"
        if silent == 0 { return gone }
        let which = batches == 1 ? "it" : silent == batches ? "any of them" : "\(silent) of them"
        return gone + "; of \(which) no record shows anything"
    }

    /// A sentence with the command that helps; nil when the warning passes without one.
    package var commandRemedy: String? {
        switch kind {
        case .authorForked, .authorRenewed, .newAuthor:
            "Make sure that no two copies of the home are used. It stays here until"
                + " 'linnet doctor --acknowledge'."
        case .basesDiffer, .historyPassedOver:
            "Export what this device shows, remove it from the group, and let it join again from a"
                + " new home; then import what it had."
        case .copyInUse:
            "If you made no copy, somebody else has these keys: 'linnet remove' this device on"
                + " another one. It stays here until 'linnet doctor --acknowledge'."
        case .idCollision, .quarantined:
            "It stays here until 'linnet doctor --acknowledge'."
        case .recordSetAside:
            "Delete the record to use its identifier again. If nobody wrote that much, somebody"
                + " else may use one of the devices. It stays here until"
                + " 'linnet doctor --acknowledge'."
        case .clockSkew, .announcedClockSkew:
            "Set the clock that is wrong; nothing is lost meanwhile, but the order of changes made"
                + " apart may surprise."
        case .upgradeNeeded: "Install the newer version on this device."
        case .damagedOwn:
            "Connect to a device that has it; if there is none any more, 'linnet doctor --restate'"
                + " writes again what the records here show of it."
        case .restated:
            "Look at what was written last on this device, and write again what is missing. Run"
                + " 'linnet doctor --deep': a disk that loses one batch may lose others. It stays"
                + " here until 'linnet doctor --acknowledge'."
        case .damaged:
            "Connect to a device that has it; if there is none, 'linnet export' here and"
                + " 'linnet import' on another device bring the others what this one shows."
        case .badEpoch: "Let another device of the group connect."
        case .keysNotUsed:
            "Nothing is stopped by it. If it happens again, somebody else may use that device."
        case .admissionFrozen:
            "Install the newer version on this device, or admit devices on one that has it. If"
                + " there is no newer version, somebody else may use the device that signed the"
                + " record."
        case .overruled:
            "'linnet removals' shows the votes, and 'linnet vote' changes that of this device. It"
                + " stays here until 'linnet doctor --acknowledge'."
        case .scopesNotUnderstood: "Install the newer version on that device."
        case .recordRebuilt:
            "Run 'linnet doctor --deep': a disk that damages one record may damage others. It stays"
                + " here until 'linnet doctor --acknowledge'."
        case .recordIncomplete: "Connect to a device that has the changes."
        case .showsOtherwise: "Run 'linnet doctor --deep' on both devices."
        case .reachedItself: "Give the address of another device."
        case .schemaContradiction: "Correct this device's schema with 'linnet schema set'."
        case .flooded: nil
        case .sendsMuch:
            "Nothing is lost by it. If nobody wrote that much, somebody else may use that device."
        case .attachmentsDoNotFit:
            "Nothing is lost: the devices that attached the files keep them. Run the node with"
                + " '--files recent:DAYS' or without '--files'."
        case .integrity: "'linnet integrity' says what to do about each."
        case .notWriting: "The node tries again by itself, and goes on once it succeeds."
        }
    }
}

extension Device {
    var label: String { name.isEmpty ? "device \(id.prefix(8))" : name }
}
