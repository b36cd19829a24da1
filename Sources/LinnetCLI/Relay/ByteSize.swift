import LinnetAPI
import LinnetControl

/// Sizes as people write them: a number, and KiB, MiB, GiB or TiB behind it.
enum ByteSize {
    private static let units: [(name: String, shift: Int64)] = [
        ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40),
    ]
    private static let most: Int64 = 1 << 50

    /// Reads the value of an option; nil where it was not given.
    static func read(
        _ arguments: Arguments, _ option: String
    ) throws(ControlFailure) -> Int64? {
        guard let text = arguments.value(option) else { return nil }
        guard let size = bytes(text) else {
            throw .usage("--\(option) takes a size from 1 to 1024TiB, as 500MiB or 2GiB")
        }
        return size
    }

    /// Returns the bytes that a text stands for; nil where it stands for none.
    static func bytes(_ text: String) -> Int64? {
        let unit = units.first { text.hasSuffix($0.name) }
        let digits = text.dropLast(unit?.name.count ?? 0)
        guard (1...16).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits)
        else { return nil }
        let (size, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        return !isTooLarge && (1...most).contains(size) ? size : nil
    }

    /// Returns a size in words, with one digit behind the point.
    static func words(_ bytes: Int64) -> String {
        guard let unit = units.last(where: { bytes >= 1 << $0.shift }) else {
            return "\(bytes) bytes"
        }
        let tenths = ((bytes >> (unit.shift - 10)) * 10) >> 10
        return "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
