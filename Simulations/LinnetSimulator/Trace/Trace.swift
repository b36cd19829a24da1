import LinnetReplication
import LinnetWire

/// The events, as a running fingerprint, and as lines for whoever asked for them.
struct Trace {
    private(set) var hash = TraceHash()
    /// Gets one JSON object an event.
    var line: ((String) -> Void)?
    /// Gets one sentence for what a person should know of a failing run.
    var sentence: ((String) -> Void)?
    /// Observes the run for a page; nothing that it is told is part of the fingerprint.
    var recorder: StoryRecorder?

    mutating func action(_ now: Int64, _ action: Action) {
        hash.add(UInt64(bitPattern: now))
        hash.add(action.salt)
        recorder?.action(now, action)
        guard line != nil || sentence != nil else { return }
        let text = action.sentence
        line?(json(now, "action", nil, text))
        sentence?("\(Self.time(now)) \(text)")
    }

    /// - Parameter sender: the device that sent the bytes, where `from` does not say it.
    mutating func arrival(
        _ now: Int64, from: Int, to: Int, _ bytes: [UInt8], sender: Int? = nil
    ) {
        hash.add(UInt64(bitPattern: now))
        hash.add(from << 16 + to)
        hash.add(bytes)
        recorder?.arrival(now, from: sender ?? from, to: to, bytes: bytes.count)
        line?(json(now, "arrival", to, "\(bytes.count) bytes from \(from)"))
    }

    mutating func step(_ now: Int64, device: Int, _ effects: [Effect]) {
        hash.add(effects.count)
        hash.add(device)
        recorder?.step(now, device, effects)
        guard line != nil || sentence != nil else { return }
        for case .notify(let event) in effects {
            line?(json(now, "event", device, "\(event)"))
            if let told = event.sentence { sentence?("\(Self.time(now)) \(device): \(told)") }
        }
    }

    /// - Parameters:
    ///   - kind: the sort of thing that it is in a story.
    ///   - told: the words of a story, where those of the trace are long.
    mutating func note(
        _ now: Int64, _ device: Int, _ text: String, _ kind: StoryItem.Kind = .note,
        told: @autoclosure () -> String? = nil
    ) {
        hash.add(UInt64(bitPattern: now))
        hash.add(device)
        recorder?.note(now, device, told() ?? text, kind)
        line?(json(now, "note", device, text))
        sentence?("\(Self.time(now)) \(device): \(text)")
    }

    private func json(_ now: Int64, _ kind: String, _ device: Int?, _ text: String) -> String {
        JSONLine.object([
            ("milliseconds", .number(now)), ("kind", .text(kind)),
            ("device", device.map { .number(Int64($0)) } ?? .null), ("what", .text(text)),
        ])
    }

    /// Days and time of day since the start.
    static func time(_ milliseconds: Int64) -> String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let seconds = milliseconds / 1_000
        return "day \(seconds / 86_400) \(padded(seconds / 3_600 % 24, 2)):"
            + "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
            + ".\(padded(milliseconds % 1_000, 3))"
    }
}

/// One line of JSON (RFC 8259), members in the given order.
package enum JSONLine {
    /// A member's value.
    package enum Value {
        /// A whole number.
        case number(Int64)
        /// Thousandths, written with three decimals.
        case thousandths(Int64)
        /// A text, escaped as needed.
        case text(String)
        /// An object or a list, encoded already.
        case encoded(String)
        /// No value.
        case null
    }

    /// The object with these members.
    package static func object(_ members: [(String, Value)]) -> String {
        "{" + members.map { "\"\($0.0)\":\(encoded($0.1))" }.joined(separator: ",") + "}"
    }

    static func encoded(_ value: Value) -> String {
        switch value {
        case .number(let number): return String(number)
        case .null: return "null"
        case .encoded(let json): return json
        case .thousandths(let number):
            let rest = String(number % 1_000)
            return "\(number / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
        case .text(let text):
            var escaped = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": escaped += "\\\""
                case "\\": escaped += "\\\\"
                case "\n": escaped += "\\n"
                default:
                    if scalar.value < 0x20 {
                        let digits = String(scalar.value, radix: 16)
                        escaped +=
                            "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    } else {
                        escaped.unicodeScalars.append(scalar)
                    }
                }
            }
            return escaped + "\""
        }
    }
}
