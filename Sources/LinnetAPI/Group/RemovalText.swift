package import Linnet
import LinnetCRDT
package import LinnetControl

/// Removals as people and programs read them.
package enum RemovalText {
    /// The note that goes with each request to a device to destroy itself.
    package static let courtesy = """
        It is asked to destroy itself, its keys first, when it hears of this. That is a courtesy,
        and no guarantee: it may never hear of it, and a changed program does not obey.
        'linnet removals' shows whether it said that it does.
        """

    /// Returns a device's name, or the beginning of its identifier when it has none.
    package static func label(_ device: ControlDevice) -> String {
        device.name.isEmpty ? "device \(device.id.prefix(8))" : TerminalText.neutral(device.name)
    }

    /// Returns the names of devices, between commas.
    package static func list(_ devices: [ControlDevice]) -> String {
        devices.map(label).joined(separator: ", ")
    }

    /// Returns a removal, a leave or a given role as a sentence.
    package static func lines(_ removal: ControlRemoval) -> String {
        let (device, author) = (label(removal.device), label(removal.by))
        var text: String
        if !removal.role.isEmpty {
            text =
                (removal.isSelf ? "this device" : device) + " was given the role \(removal.role)"
                + " by \(author)"
        } else if removal.device == removal.by {
            text = removal.isSelf ? "this device left the group" : "\(device) left the group"
        } else {
            text =
                (removal.isSelf ? "this device" : device) + " was removed by \(author)"
                + (removal.reason.isEmpty ? "" : " (\(removal.reason))")
        }
        if !removal.stands { text += ", which has no effect" }
        if !removal.companions.isEmpty { text += ", with \(list(removal.companions))" }
        if !removal.votes.opponents.isEmpty {
            text += "; against it: \(list(removal.votes.opponents))"
        }
        if !removal.unheard.isEmpty, !removal.isSelf {
            text += "; not known to have heard: \(list(removal.unheard))"
        }
        if removal.isSelf, removal.stands, removal.role.isEmpty {
            text += "; it keeps what it has, and changes nothing"
        }
        return text
    }

    private static func json(_ wipe: ControlRemoval.Wipe) -> JSON {
        [
            "record": .text(wipe.record), "by": .text(wipe.by.id),
            "askedMilliseconds": .integer(wipe.wallMilliseconds), "good": .bool(wipe.isGood),
            "obeyed": wipe.obeyed.map(JSON.text) ?? .null,
            "obeyedMilliseconds": wipe.obeyedWallMilliseconds.map(JSON.integer) ?? .null,
        ]
    }

    /// The votes, and the record that they are about.
    package static func votes(_ removal: ControlRemoval) -> String {
        var text = "\n  record \(removal.record.prefix(8))"
        let votes = removal.votes
        if !votes.supporters.isEmpty { text += "; for it: \(list(votes.supporters))" }
        let uncounted =
            votes.uncountedSupporters.map { "\(label($0)) for it" }
            + votes.uncountedOpponents.map { "\(label($0)) against it" }
        if !uncounted.isEmpty {
            text += "; not counted: " + uncounted.joined(separator: ", ")
        }
        if !votes.silent.isEmpty { text += "; has not spoken: \(list(votes.silent))" }
        if !removal.rivals.isEmpty {
            text +=
                "; a duel with record "
                + removal.rivals.map { String($0.prefix(8)) }.joined(separator: ", ")
                + ", which the votes decide"
        }
        return text + holders(removal) + (removal.wipe.map(wipe) ?? "")
    }

    /// The members that hold it, each with the record of its own that shows it.
    package static func holders(_ removal: ControlRemoval) -> String {
        guard !removal.holders.isEmpty else { return "" }
        let each = removal.holders.map { holder in
            let unsigned = holder.isSelf ? " (this device)" : " (in session only)"
            return label(holder.device)
                + (holder.record.map { " (signed \($0.prefix(8)))" } ?? unsigned)
        }
        return "\n  held by: \(each.joined(separator: ", "))"
    }

    /// The request to the device to destroy itself.
    private static func wipe(_ wipe: ControlRemoval.Wipe) -> String {
        var text =
            "\n  asked by \(label(wipe.by)) at \(Value.instant(wipe.wallMilliseconds).description)"
            + " to destroy itself"
        if let at = wipe.obeyedWallMilliseconds {
            text += "; it said at \(Value.instant(at).description) that it obeys"
        } else {
            text += wipe.isGood ? "; not known whether it obeyed" : ", which it need not obey"
        }
        return text
    }

    /// Returns a removal as an object.
    package static func json(_ removal: ControlRemoval) -> JSON {
        [
            "record": .text(removal.record),
            "role": removal.role.isEmpty ? .null : .text(removal.role),
            "rivals": .array(removal.rivals.map(JSON.text)),
            "silent": .array(removal.votes.silent.map { .text($0.id) }),
            "uncountedFor": .array(removal.votes.uncountedSupporters.map { .text($0.id) }),
            "uncountedAgainst": .array(removal.votes.uncountedOpponents.map { .text($0.id) }),
            "device": .text(removal.device.id), "name": .text(removal.device.name),
            "by": .text(removal.by.id), "byName": .text(removal.by.name),
            "reason": .text(removal.reason), "stands": .bool(removal.stands),
            "self": .bool(removal.isSelf),
            "with": .array(removal.companions.map { .text($0.id) }),
            "for": .array(removal.votes.supporters.map { .text($0.id) }),
            "against": .array(removal.votes.opponents.map { .text($0.id) }),
            "unheard": .array(removal.unheard.map { .text($0.id) }),
            "holders": .array(
                removal.holders.map {
                    [
                        "device": .text($0.device.id),
                        "record": $0.record.map(JSON.text) ?? .null, "self": .bool($0.isSelf),
                    ]
                }),
            "wipe": removal.wipe.map(json) ?? .null,
        ]
    }
}
