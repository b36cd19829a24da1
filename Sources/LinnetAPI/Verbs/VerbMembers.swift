package import Linnet
import LinnetCRDT
package import LinnetControl

/// The members of a request; each is read by its name, and a wrong one is named in the failure.
package struct VerbMembers: Sendable {
    private let json: JSON

    /// Takes the request's object; throws for another value.
    package init(_ json: JSON) throws(ControlFailure) {
        guard case .object = json else { throw .usage("a request is a JSON object") }
        self.json = json
    }

    /// Returns a member; nil when it is absent or null.
    package func value(_ name: String) -> JSON? {
        guard let value = json[name], value != .null else { return nil }
        return value
    }

    /// Returns a text; throws when it is absent.
    package func text(_ name: String) throws(ControlFailure) -> String {
        guard let text = try optionalText(name) else { throw .usage("'\(name)' is missing") }
        return text
    }

    /// Returns a text; nil when it is absent.
    package func optionalText(_ name: String) throws(ControlFailure) -> String? {
        guard let value = value(name) else { return nil }
        guard case .text(let text) = value else { throw .usage("'\(name)' must be a text") }
        return text
    }

    /// Returns true or false; `usual` when it is absent, and throws when that is nil.
    package func flag(_ name: String, usual: Bool?) throws(ControlFailure) -> Bool {
        switch value(name) {
        case .bool(let value)?: return value
        case nil:
            guard let usual else { throw .usage("'\(name)' is missing") }
            return usual
        default: throw .usage("'\(name)' must be true or false")
        }
    }

    /// Returns a whole number of a range; `usual` when it is absent.
    package func whole(
        _ name: String, in range: ClosedRange<UInt64>, usual: UInt64
    ) throws(ControlFailure) -> UInt64 {
        try optionalWhole(name, in: range) ?? usual
    }

    /// Returns a whole number of a range; nil when it is absent.
    package func optionalWhole(
        _ name: String, in range: ClosedRange<UInt64>
    ) throws(ControlFailure) -> UInt64? {
        let digits: String
        switch value(name) {
        case nil: return nil
        case .number(let text)?: digits = text
        case .text(let text)?: digits = text
        default: digits = ""
        }
        guard let number = UInt64(digits), range.contains(number) else {
            throw .usage(
                "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns texts; none when the member is absent.
    package func texts(_ name: String) throws(ControlFailure) -> [String] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else { throw .usage("'\(name)' must be an array") }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element else {
                throw .usage("'\(name)' must be an array of texts")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the members of an object; throws when it is absent.
    package func object(_ name: String) throws(ControlFailure) -> [JSON.Member] {
        guard let value = value(name) else { throw .usage("'\(name)' is missing") }
        guard case .object(let members) = value else { throw .usage("'\(name)' must be an object") }
        return members
    }

    /// Returns the intent, whose text has 1 to `limit` bytes; nil when it is absent.
    package func intent(upTo limit: Int = 64) throws(ControlFailure) -> [UInt8]? {
        guard let text = try optionalText("intent") else { return nil }
        let bytes = Array(text.utf8)
        guard (1...limit).contains(bytes.count) else {
            throw .usage("'intent' has 1 to \(limit) bytes")
        }
        return bytes
    }
}
