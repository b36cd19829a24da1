import Linnet
import LinnetControl

/// Removals as people and programs read them.
enum RemovalText {
    static func label(_ device: ControlDevice) -> String {
        device.name.isEmpty ? "device \(device.id.prefix(8))" : TerminalText.neutral(device.name)
    }

    static func list(_ devices: [ControlDevice]) -> String {
        devices.map(label).joined(separator: ", ")
    }

    static func lines(_ removal: ControlRemoval) -> String {
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
        if !removal.opponents.isEmpty { text += "; against it: \(list(removal.opponents))" }
        if !removal.unheard.isEmpty, !removal.isSelf {
            text += "; not known to have heard: \(list(removal.unheard))"
        }
        if removal.isSelf, removal.stands, removal.role.isEmpty {
            text += "; it keeps what it has, and changes nothing"
        }
        return text
    }

    /// The votes, and the record that they are about.
    static func votes(_ removal: ControlRemoval) -> String {
        var text = "\n  record \(removal.record.prefix(8))"
        if !removal.supporters.isEmpty { text += "; for it: \(list(removal.supporters))" }
        if !removal.silent.isEmpty { text += "; has not spoken: \(list(removal.silent))" }
        if !removal.rivals.isEmpty {
            text +=
                "; a duel with record "
                + removal.rivals.map { String($0.prefix(8)) }.joined(separator: ", ")
                + ", which the votes decide"
        }
        return text
    }

    static func json(_ removal: ControlRemoval) -> JSON {
        [
            "record": .text(removal.record),
            "role": removal.role.isEmpty ? .null : .text(removal.role),
            "rivals": .array(removal.rivals.map(JSON.text)),
            "silent": .array(removal.silent.map { .text($0.id) }),
            "device": .text(removal.device.id), "name": .text(removal.device.name),
            "by": .text(removal.by.id), "byName": .text(removal.by.name),
            "reason": .text(removal.reason), "stands": .bool(removal.stands),
            "self": .bool(removal.isSelf),
            "with": .array(removal.companions.map { .text($0.id) }),
            "for": .array(removal.supporters.map { .text($0.id) }),
            "against": .array(removal.opponents.map { .text($0.id) }),
            "unheard": .array(removal.unheard.map { .text($0.id) }),
        ]
    }
}
