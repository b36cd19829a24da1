/// Writes time zone files for tests (RFC 9636).
struct ZoneFile {
    /// A type of local time.
    struct LocalType {
        var offsetSeconds: Int32
        var isDaylight = false
        var name = 0
    }

    /// The byte after the magic: 0, or the digit of a version.
    var version: UInt8 = UInt8(ascii: "2")
    /// Unix seconds and the position of a type.
    var transitions: [(at: Int64, type: UInt8)] = []
    var types = [LocalType(offsetSeconds: 0)]
    var names: [UInt8] = Array("LMT\0".utf8)
    var leapSeconds = 0
    var indicators = (universal: 0, standard: 0)
    var footer = ""

    /// A file without transitions whose footer says everything.
    init(footer: String) {
        self.footer = footer
    }

    var bytes: [UInt8] {
        guard version != 0 else { return part(timeBytes: 4) }
        var empty = self
        empty.transitions = []
        empty.leapSeconds = 0
        return empty.part(timeBytes: 4) + part(timeBytes: 8) + "\n".utf8 + footer.utf8 + "\n".utf8
    }

    private func part(timeBytes: Int) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
        let counts = [
            indicators.universal, indicators.standard, leapSeconds, transitions.count,
            types.count, names.count,
        ]
        for count in counts {
            bytes += ZoneFile.bigEndian(Int64(count), bytes: 4)
        }
        for transition in transitions {
            bytes += ZoneFile.bigEndian(transition.at, bytes: timeBytes)
        }
        bytes += transitions.map(\.type)
        for type in types {
            bytes += ZoneFile.bigEndian(Int64(type.offsetSeconds), bytes: 4)
            bytes += [type.isDaylight ? 1 : 0, UInt8(type.name)]
        }
        bytes += names
        bytes += Array(repeating: 0, count: leapSeconds * (timeBytes + 4))
        return bytes + Array(repeating: 0, count: indicators.universal + indicators.standard)
    }

    private static func bigEndian(_ number: Int64, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
