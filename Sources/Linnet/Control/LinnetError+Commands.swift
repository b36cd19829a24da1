import LinnetSystem

extension LinnetError {
    /// A text that says what is wrong, for a person at a terminal.
    package var commandText: String {
        if case .home(let error) = self { error.commandText } else { description }
    }

    /// A sentence on what to do next, for a person at a terminal: it names a command or an option
    /// where that of the library names a call.
    package var commandRemedy: String {
        switch self {
        case .passphraseNeeded: "Give it on a terminal, or with --passphrase-file FILE."
        case .noPassphrase: "Give it one with 'linnet passphrase set'."
        case .passphraseExists:
            "Use 'linnet passphrase change' or 'linnet passphrase remove'."
        case .backup:
            "Nothing else was changed; choose another name or place, replace a file that is there "
                + "with --force, or make room."
        case .integrity(let findings):
            findings.compactMap(\.remedy).joined(separator: " ")
                + " To open it all the same: 'linnet integrity --policy warn'."
        case .locked: "Unlock it with 'linnet unlock'."
        case .notStarted: "Start 'linnet run'."
        case .alreadyStarted: "Nothing has to be done."
        case .stopped: "Run the command again."
        case .notRemoved: "Use 'linnet remove DEVICE --wipe'."
        case .mayNotWrite:
            "Write it on another device, or let an admin run 'linnet role' for this one."
        case .lastAdmin: "Make another device an admin first, with 'linnet role' or 'linnet pair'."
        case .recovery(.noKeyHere), .recovery(.notMade):
            "'linnet recovery create' makes them on the device that founded the group; a group that"
                + " an older version founded can have none."
        case .recovery(.made):
            "'linnet recovery test' proves that yours are right; 'linnet recovery replace' takes"
                + " them and draws others."
        case .recovery(.removedBy): "Name that device with --lost, too."
        case .outvoted:
            "'linnet removals' shows the votes; 'linnet vote' changes a device's."
        case .noLateWrites, .severalLateChains: "'linnet late' lists them."
        case .noSuchRemoval: "'linnet removals' lists them."
        case .noSuchQuestion: "'linnet questions --all' lists them."
        case .outOfGroup:
            "'linnet removals' shows who removed it and the votes, and 'linnet late' what it sent;"
                + " to take part again it joins from a new home."
        case .notAMember: "Use 'linnet join', or 'linnet init' in a new home."
        case .alreadyAMember: "Name a new home with --home to join another group."
        case .scope(.notHeld):
            "Write it on a device that holds it, or let this one hold it with"
                + " 'linnet run --hold-everything'."
        case .schemaUnknown: "Run 'linnet sync', or 'linnet run'."
        case .schemaChange: "Correct the file; 'linnet schema check FILE --against home' checks it."
        case .pairing(.schemaContradiction):
            "Join without --schema to take the group's, or correct the file."
        case .damagedBatches:
            "Reach a device that has it. If there is none, and this device wrote it,"
                + " 'linnet doctor --restate' writes again what the records here show of it."
        default: remedy
        }
    }
}

extension HomeError {
    /// A text that says what is wrong and what to do, for a person at a terminal.
    package var commandText: String {
        switch self {
        case .missing(let path):
            "there is no home directory at \(path); make one with 'linnet init' or 'linnet join'"
        case .notADirectory(let path):
            "\(path) is not a directory; name another place with --home"
        case .fileExists(let path):
            "\(path) exists already; choose another name, or replace it with --force"
        case .restoreUnfinished(let path):
            "the restoring of a backup into \(path) was cut short; run 'linnet restore' again"
        case .recoveryUnfinished(let path):
            "the recovery of a group into \(path) was cut short;"
                + " run 'linnet recovery use --mailbox' again, which begins anew"
        case .notEmpty(let path, let name):
            "\(path) is not empty, it has '\(name)'; name another place with --home"
        case .keyFileMissing(let path):
            "there is no device key at \(path); make a device with 'linnet init' or 'linnet join'"
        case .keyFileExists(let path):
            "\(path) exists already: this home has a device; name another place with --home"
        case .databaseMissing(let path):
            "the database \(path) is missing or empty, and the keys beside it are those of a device"
                + " that had one; nothing was made in its place. Put the file back, or restore a"
                + " backup into another home with 'linnet restore'; or give this device up with"
                + " 'linnet wipe' and join the group again as a new one"
        case .keyFileLost(let path):
            "the key file \(path) and its copy are gone, and the database beside them opens with"
                + " no other; nothing was changed. Put the key file back, or restore a backup into"
                + " another home with 'linnet restore'; or give this device up with 'linnet wipe'"
                + " and join the group again as a new one"
        default: description
        }
    }
}
