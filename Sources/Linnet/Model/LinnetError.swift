public import LinnetCRDT
public import LinnetCard
import LinnetSystem

/// The reason why a call was refused or failed; nothing was changed unless a case says otherwise.
public enum LinnetError: Error, Equatable, Sendable {
    /// The home directory or a file in it cannot be used.
    case home(HomeError)
    /// The key file cannot be read; the text says why.
    case keyFile(String)
    /// The key file asks for a passphrase, and none was given.
    case passphraseNeeded
    /// The passphrase does not open the key file.
    case wrongPassphrase
    /// The key file has no passphrase, and what was asked for needs one.
    case noPassphrase
    /// The key file has a passphrase already.
    case passphraseExists
    /// The home is not opened while this is found about the program and its surroundings, since
    /// its policy is to block; see ``Node/integrity()``.
    case integrity([IntegrityFinding])
    /// The node is locked: its keys are not in memory.
    case locked
    /// The node is not locked.
    case notLocked
    /// A backup cannot be written; the text says why.
    case backup(String)
    /// A backup cannot be restored; the text says why.
    case restore(String)
    /// The database cannot be used; the text says why and what to do.
    case database(String)
    /// The schema does not allow the write.
    case schema(SchemaError)
    /// The schema contradicts the one that the home has; the text says how.
    case schemaChange(String)
    /// The group's schema is not known here yet: it comes with the first exchange.
    case schemaUnknown
    /// A record's identifier is not 1 to 64 bytes without control characters; this is the
    /// identifier.
    case badRecordID(String)
    /// A scope is unknown, is held by every device, is held here alone, or is not held here.
    case scope(ScopeProblem)
    /// A transaction needs more than 65,535 batches, or one of its values needs more than a batch.
    case tooLarge
    /// A record, of which this is the identifier, would need more room than a device has for one:
    /// 8 MiB in the home, or 24 MiB of memory.
    case recordTooLarge(String)
    /// An intent is not 1 to 64 bytes.
    case badIntent
    /// There is no record with this identifier.
    case noSuchRecord(String)
    /// No question about the group is about a record whose identifier begins so, or several are.
    case noSuchQuestion(String)
    /// No removal or role is the record that was named.
    case noSuchRemoval(String)
    /// A record's fields do not make a value of the application's type; this is its identifier.
    case unreadable(String)
    /// A certificate of what a device holds is damaged, or no member of this group signed it.
    case badCertificate
    /// A file cannot be attached, fetched or read; the case within says why.
    case attachment(AttachmentProblem)
    /// An emergency card cannot be made or read; the case within says why.
    case card(CardError)
    /// The transaction is over.
    case transactionEnded
    /// The places between two neighbours of an order are used up.
    case noRoomInOrder
    /// An address is not of the form `host:port`.
    case badAddress(String)
    /// Listening at an address was refused by the system.
    case cannotListen(address: String, reason: String)
    /// The node was not started.
    case notStarted
    /// The node was started before.
    case alreadyStarted
    /// The node was stopped.
    case stopped
    /// The device belongs to no group yet.
    case notAMember
    /// This device was removed from its group by the one with this identifier, or left it: it
    /// keeps what it has, and changes nothing.
    case removed(by: String?)
    /// The device with this identifier asked this one, which was removed from its group, to destroy
    /// itself: its keys and its data are gone, or go as soon as the node stops.
    case wiped(by: String)
    /// The device belongs to the group: only one that was removed is asked to destroy itself.
    case notRemoved
    /// This device reads what its group has, and changes nothing.
    case mayNotWrite
    /// This device is no admin of its group, or the device is this one itself.
    case notAnAdmin
    /// The group would have no admin left.
    case lastAdmin
    /// A recovery phrase cannot be made, used or replaced; the case within says why.
    case recovery(RecoveryProblem)
    /// The votes of the other devices would leave the change without effect.
    case outvoted
    /// No other device of the group has this name or identifier, or several have.
    case noSuchDevice
    /// No late writes of that device wait, or none up to that number.
    case noLateWrites
    /// Late writes of several chains of the device wait, and a number means one of them.
    case severalLateChains
    /// Another group cannot be merged into this one; the case within says why.
    case merge(MergeProblem)
    /// The device belongs to a group already.
    case alreadyAMember
    /// Pairing did not succeed.
    case pairing(PairingProblem)
    /// No other device was reached.
    case notReachable(String)
    /// The device that was reached, which the text names, belongs to the group no more: it was told
    /// so, what it had not sent was taken from it, and nothing else was exchanged.
    case outOfGroup(String)
    /// The device at this address says that this one was removed from the group, and has not shown
    /// the record that does so.
    case disowned(String)
    /// The address that was given as another device's leads back to this one.
    case reachedItself(String)
    /// Other devices were reached, but the exchange did not end in time; what was exchanged stays.
    /// The sentences say what was missing, as far as it is known here.
    case timedOut(why: [String])
    /// The exchange did not end: these batches are damaged here, and no device that was reached
    /// sent them. What was exchanged stays.
    case damagedBatches([String])
    /// The group uses something that this version does not know.
    case upgradeNeeded
    /// The keys of the group do not open for this device.
    case noGroupKey
    /// A mailbox cannot be used; the text says why.
    case mailbox(String)
    /// The system has no thread or descriptor left.
    case noResources
    /// The library failed in a way that should not happen; the text is for a bug report.
    case unexpected(String)
}

extension LinnetError: CustomStringConvertible {
    /// A sentence for a person that says what is wrong.
    public var description: String {
        switch self {
        case .home(let error): error.description
        case .keyFile(let reason): "the key file cannot be used: \(reason)"
        case .passphraseNeeded: "the key file asks for its passphrase"
        case .wrongPassphrase: "the passphrase is wrong"
        case .noPassphrase: "the key file has no passphrase"
        case .passphraseExists: "the key file has a passphrase already"
        case .integrity(let findings):
            "the home stays closed by its policy: " + findings.map(\.text).joined(separator: "; ")
        case .locked: "the node is locked"
        case .notLocked: "the node is not locked"
        case .backup(let reason): "the backup was not written: \(reason)"
        case .restore(let reason): "the backup was not restored: \(reason)"
        case .database(let reason): reason
        case .schema(let error): SchemaText.sentence(for: error)
        case .schemaChange(let problem): "the schema contradicts the home's: \(problem)"
        case .schemaUnknown:
            "this device waits for the group's schema, which comes with the first exchange"
        case .badRecordID(let id): "\"\(id)\" cannot name a record"
        case .scope(let problem): problem.description
        case .tooLarge: "the change is larger than one transaction can be"
        case .recordTooLarge(let id):
            "the record \"\(id)\" would be larger than a device can hold"
        case .badIntent: "an intent has 1 to 64 bytes"
        case .noSuchRemoval(let record): "record \"\(record)\" is no removal and gives no role"
        case .noSuchQuestion(let record): "no question is about record \"\(record)\""
        case .noSuchRecord(let id): "there is no record \"\(id)\""
        case .unreadable(let id):
            "the fields of record \"\(id)\" do not make a value of its type"
        case .badCertificate: "the certificate is damaged, or not of a member of this group"
        case .card(let problem): problem.description
        case .attachment(let problem): problem.description
        case .transactionEnded: "the transaction is over"
        case .noRoomInOrder: "there is no place left between these two records"
        case .badAddress(let text): "\"\(text)\" is not an address with a port"
        case .cannotListen(let address, let reason): "cannot listen at \(address): \(reason)"
        case .notStarted: "the node was not started"
        case .alreadyStarted: "the node was started already"
        case .stopped: "the node was stopped"
        case .notAMember: "this device belongs to no group yet"
        case .removed(let author):
            author.map { "this device was removed from its group by device \($0.prefix(8))" }
                ?? "this device left its group"
        case .wiped(let author):
            "this device was removed from its group, and device \(author.prefix(8)) asked it to"
                + " destroy itself: its keys and its data are gone"
        case .notRemoved: "that device belongs to the group"
        case .mayNotWrite: "the role of this device lets it change nothing of what its group has"
        case .notAnAdmin: "only another device that is an admin of the group can do that"
        case .recovery(let problem): problem.description
        case .lastAdmin: "the group would have no admin left"
        case .outvoted: "the votes of the other devices leave that without effect"
        case .noSuchDevice: "no other device of the group has that name, or several have"
        case .noLateWrites: "no late writes of that device wait here, or none up to that number"
        case .severalLateChains: "late writes of several chains of that device wait"
        case .merge(let problem): problem.description
        case .alreadyAMember: "this device belongs to a group already"
        case .pairing(let problem): problem.description
        case .notReachable(let what): "\(what) was not reached"
        case .outOfGroup(let what):
            "\(what) was reached and belongs to the group no more: nothing is exchanged with it but"
                + " who belongs to the group, and what it had not sent before"
        case .disowned(let address):
            "the device at \(address) says that this one was removed from the group, and has not"
                + " shown the record that does so"
        case .reachedItself(let address): "\(address) is the address of this device itself"
        case .timedOut(let why):
            "the exchange did not end in time: "
                + (why.isEmpty
                    ? "it is unknown whether the others have everything"
                    : why.joined(separator: "; "))
        case .damagedBatches(let batches): Self.sentence(about: batches)
        case .upgradeNeeded:
            "the group has records that this version does not know, so it admits nobody"
        case .noGroupKey: "the keys of the group do not open for this device"
        case .mailbox(let problem): problem
        case .noResources: "the system has no thread or file descriptor left"
        case .unexpected(let what): "unexpected failure: \(what)"
        }
    }

    /// A sentence for whoever uses the library that says what to do next; commands say it in their
    /// own words.
    public var remedy: String {
        switch self {
        case .home: "Mend the directory as the message says, or open another one."
        case .keyFile: "Put back a good copy of the key file, or join again as a new device."
        case .passphraseNeeded: "Open the home with its passphrase."
        case .wrongPassphrase: "Try again; nothing was changed."
        case .noPassphrase: "Give it one with Node.changePassphrase."
        case .passphraseExists: "Change or remove it with Node.changePassphrase."
        case .integrity(let findings):
            findings.compactMap(\.remedy).joined(separator: " ")
                + " To open it all the same, choose another policy with Node.setIntegrityPolicy."
        case .locked: "Call Node.unlock with its passphrase."
        case .notLocked: "Nothing has to be done."
        case .backup:
            "Nothing else was changed; choose another place, allow that a file is replaced, or make"
                + " room."
        case .restore: "Nothing of it is in the home; use another backup or another home."
        case .database: "Follow the message; the other devices still hold the data."
        case .schema(let error): SchemaText.remedy(for: error)
        case .scope(let problem): problem.remedy
        case .schemaChange: "Change the schema as the message says; data that is there stays."
        case .schemaUnknown: "Call start and sync, so that it exchanges with a device of the group."
        case .badRecordID: "Use 1 to 64 bytes of text without control characters."
        case .tooLarge: "Split the change into several transactions."
        case .recordTooLarge: "Divide it over several records, or delete parts of it first."
        case .badIntent: "Use a short unique text."
        case .noSuchRecord: "Name a record that is there."
        case .noSuchRemoval: "Name one by the beginning of its identifier, four digits at least."
        case .noSuchQuestion: "Name a record that a question is about, by four digits at least."
        case .unreadable: "Give the type a property of the right type, or an optional one."
        case .badCertificate: "Let the other device write it again."
        case .card(let problem): problem.remedy
        case .attachment(let problem): problem.remedy
        case .transactionEnded: "Use a transaction inside its own call alone."
        case .noRoomInOrder: "Move one of the two neighbours elsewhere first."
        case .badAddress:
            "Write host:port, 192.0.2.1:7000 or [fe80::1%eth0]:7000; ports end at 65535."
        case .cannotListen: "Choose another port, or 0 to let the system choose."
        case .notStarted: "Call start first."
        case .alreadyStarted: "Start a node once."
        case .stopped: "Open the home again."
        case .notAMember: "Join a group, or found one."
        case .removed:
            "Read or export what it has; to take part again, join from a new home as a new device."
        case .wiped:
            "To take part again, join from a new home as a new device, or restore a backup."
        case .notRemoved: "Remove it first, or remove it and ask it in one step."
        case .mayNotWrite:
            "Write it on another device, or let an admin give this one another role."
        case .notAnAdmin: "Do it on an admin's device; a device takes itself out by leaving."
        case .recovery(let problem): problem.remedy
        case .lastAdmin: "Let another admin join, or make another device one, first."
        case .outvoted: "Look at the votes, and let those who are against it change theirs."
        case .noSuchDevice: "Name a device as the status shows it, or by its identifier."
        case .noLateWrites: "Name a device and a number that the list of late writes shows."
        case .severalLateChains: "Name the chain, as the list of late writes shows it."
        case .merge(let problem): problem.remedy
        case .alreadyAMember: "Use a new home to join another group."
        case .pairing(let problem): problem.remedy
        case .reachedItself:
            "Give the address of another device of the group."
        case .outOfGroup:
            "Look at the removals and their votes; to take part again it joins from a new home."
        case .disowned:
            "Reach another device of the group, which can tell whether that is so."
        case .notReachable:
            "Check that the other device runs Linnet on this network, or name its address."
        case .timedOut: "Try again; nothing is sent twice."
        case .damagedBatches:
            "Reach a device that has it; if there is none, what this one shows reaches the others "
                + "when another device writes it anew."
        case .upgradeNeeded: "Upgrade Linnet on this device."
        case .noGroupKey: "Let another device connect, or remove this one and join again."
        case .mailbox:
            "Name a place that is there and lets this device in; 'linnet mailbox test' tries one."
        case .noResources: "Close other programs, or raise the limit of open files."
        case .unexpected: "Please report it with the text above."
        }
    }

    private static func sentence(about batches: [String]) -> String {
        let first = batches.first?.prefix(8) ?? ""
        let more = batches.count > 1 ? " (and \(batches.count - 1) more)" : ""
        return "batch \(first)\(more) is damaged on this disk, "
            + "and no device that was reached sent it again"
    }
}
