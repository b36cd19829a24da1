import LinnetReplication
import LinnetWire

/// The words in which a story speaks of devices, spans of time and amounts.
enum StoryWords {
    /// A device by its number; somebody outside when there is none.
    static func device(_ number: Int?) -> String {
        number.map { $0 < 0 ? "somebody outside" : "device \($0)" } ?? "somebody outside"
    }

    /// A sentence begins with a capital letter.
    static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A number of things, in the singular where it is one.
    static func counted(_ number: Int, _ one: String, _ several: String? = nil) -> String {
        number == 1 ? "1 \(one)" : "\(grouped(number)) \(several ?? one + "s")"
    }

    static func counted(_ number: Int, _ kind: StoryItem.Kind) -> String {
        switch kind {
        case .write: counted(number, "write")
        case .person: counted(number, "deed of people", "deeds of people")
        case .meet: counted(number, "meeting")
        case .message: counted(number, "run of messages", "runs of messages")
        case .fault: counted(number, "fault")
        case .state: counted(number, "start or end of a process", "starts and ends of processes")
        case .clock: counted(number, "change of a clock", "changes of clocks")
        case .visible:
            counted(
                number, "moment at which batches became visible",
                "moments at which batches became visible")
        case .stored:
            counted(
                number, "moment at which batches were stored",
                "moments at which batches were stored")
        case .warning: counted(number, "warning")
        case .session: counted(number, "word about a session", "words about sessions")
        case .membership: counted(number, "change of the group", "changes of the group")
        case .note: counted(number, "note")
        case .phase, .broken, .gap: counted(number, "mark")
        }
    }

    /// The name of a case, or of an error, in words: without its module, type and values.
    static func plain(_ description: String) -> String {
        var words = ""
        let name = description.prefix { $0 != "(" }.split(separator: ".").last ?? ""
        for character in name {
            if character.isUppercase { words += " " }
            words += character.lowercased()
        }
        return words
    }

    /// The innermost reason of an error in words.
    static func reason(_ error: any Error) -> String {
        let inner = "\(error)".split { "()".contains($0) }.last { $0.contains(".") }
        return plain(inner.map(String.init) ?? "\(error)")
    }

    /// Digits in threes.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// A span of time in its largest unit that makes sense.
    static func span(_ milliseconds: Int64) -> String {
        let size = milliseconds.magnitude
        let units: [(UInt64, String)] = [
            (365 * 86_400_000, "year"), (86_400_000, "day"), (3_600_000, "hour"),
            (60_000, "minute"), (1_000, "second"),
        ]
        guard
            let (unit, name) = units.first(where: { size >= $0.0 * 2 })
                ?? units.last(where: {
                    size >= $0.0
                })
        else { return "\(size) ms" }
        return counted(Int(clamping: size / unit), name)
    }
}

extension SessionEnd {
    /// The reason in words; nil for a session that ended as sessions do.
    var told: String? {
        switch self {
        case .normal, .truncated: nil
        case .duplicate: "another session with the same device stays"
        case .removed: "the other side says that this device was removed"
        case .protocolViolation: "the bytes broke the rules of the protocol"
        case .timeout: "the other side was silent for too long"
        case .shutdown: "the other side goes down"
        case .denied: "the person on the other side said no"
        case .formerMember: "the other side belonged to this group and does no more"
        case .unknownPeer: "the other side is no member of this group"
        case .pskMismatch: "the other side has no key of this group, or typed another code"
        case .itself: "the link leads back to the same device"
        case .handshakeFailed: "the handshake failed"
        case .other(let code): "the other side closed with code \(code)"
        }
    }
}

extension Warning {
    /// The warning in words, with devices by what a story calls them.
    func told(_ name: (DeviceID) -> String) -> String {
        switch self {
        case .clockSkew(let device, let milliseconds):
            "the clock of \(name(device)) is \(StoryWords.span(milliseconds)) "
                + (milliseconds < 0 ? "behind" : "ahead")
        case .authorForked(let device): "\(name(device)) wrote two histories; both are kept"
        case .historyPassedOver(let device):
            "\(name(device)) wrote another history of what is folded; it is passed over"
        case .basesDiffer(let device):
            "\(name(device)) folded what this device lacks and does not take"
        case .authorRenewed(let device):
            "\(name(device)) came back as a new author: its home was copied or restored"
        case .admissionFrozen(let device):
            "\(name(device)) signed a record of a later version: nobody is admitted meanwhile"
        case .overruled(let device, let author, let isRole):
            "\(isRole ? "the role of" : "the removal of") \(name(device)) by \(name(author))"
                + " has no effect any more"
        case .scopesNotUnderstood(let device):
            "\(name(device)) cannot read what this group seals by scope"
        case .quarantined: "a batch, or an operation of one, has no effect"
        case .idCollision(let key): "two contents of \(key.record) in a log; both are kept"
        case .recordSetAside(let key): "\(key.record) is too large and was set aside"
        case .damagedBatch: "a stored batch is damaged; others are asked for it"
        case .damagedOwnBatch: "a batch of its own is damaged, and perhaps nobody else has it"
        case .batchesRestated: "its disk lost batches of its own, which it says again"
        case .incarnationRotated(let reason): "it writes as a new author from now on: \(reason)"
        case .badEpoch: "the keys of an epoch do not open or do not match"
        case .keysNotUsed(let device, let fault):
            "the newest keys, made by \(name(device)), are not used: "
                + StoryWords.plain("\(fault)")
        case .rowRebuilt(let key): "the row of \(key.record) was wrong and is made anew"
        case .rowIncomplete(let key): "the row of \(key.record) may lack something"
        case .showsOtherwise(let device, _):
            "\(name(device)) holds the same batches and shows something else"
        case .filesDoNotFit: "no more chunks of files fit"
        case .flooded(let device): "\(name(device)) sends more than it may"
        case .sendsMuch(let device, _, let isHeldBack):
            "\(name(device)) brought much today" + (isHeldBack ? "; the rest has to wait" : "")
        }
    }
}
