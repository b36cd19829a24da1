/// The parts of a text that writes a timing: `name=value`, separated by semicolons.
///
/// `times=08:00 morning,20:00;days=65;zone=Europe/Berlin;shift=2026-11-23 540 60` and so on; the
/// characters `%`, `,`, `;`, `=` and control characters within a part are written as in RFC 3986.
struct TimingText {
    private(set) var parts: [(name: String, value: String)] = []

    init() {}

    /// Splits a text; throws `badTiming` when a part has no name or comes twice.
    init(reading text: String) throws(MedicationError) {
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: "="), sign > part.startIndex else {
                throw .badTiming
            }
            let name = String(part[..<sign])
            guard self[name] == nil else { throw .badTiming }
            parts.append((name, String(part[part.index(after: sign)...])))
        }
    }

    /// The value of a part, as written.
    subscript(name: String) -> String? {
        parts.first { $0.name == name }?.value
    }

    /// The text of an optional part, its escapes undone.
    func plain(_ name: String) throws(MedicationError) -> String? {
        guard let value = self[name] else { return nil }
        return try TimingText.unescaped(value)
    }

    /// The instant of an optional part.
    func instant(_ name: String) throws(MedicationError) -> Instant? {
        guard let value = self[name] else { return nil }
        guard let instant = Instant(value) else { throw .badTiming }
        return instant
    }

    /// Adds a part unless its value is nil.
    mutating func append(_ name: String, _ value: String?) {
        guard let value else { return }
        parts.append((name, value))
    }

    /// All parts as one text.
    var text: String {
        parts.map { $0.name + "=" + $0.value }.joined(separator: ";")
    }

    /// The text with escapes for the characters that separate parts.
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7f, UInt8(ascii: "%"), UInt8(ascii: ","), UInt8(ascii: ";"),
                UInt8(ascii: "="):
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default:
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without escapes; throws `badTiming` when one is cut or gives no UTF-8.
    static func unescaped(_ text: some StringProtocol) throws(MedicationError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { throw .badTiming }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badTiming }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
