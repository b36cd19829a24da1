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
        if removal.device == removal.by {
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
        if removal.isSelf, removal.stands {
            text += "; it keeps what it has, and changes nothing"
        }
        return text
    }

    static func json(_ removal: ControlRemoval) -> JSON {
        [
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
