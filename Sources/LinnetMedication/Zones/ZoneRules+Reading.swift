extension ZoneRules {
    /// Largest file that is read; those of the IANA database have some 4,000 bytes.
    public static let maximumBytes = 65_536

    /// Reads a time zone file of any version (RFC 9636); throws `badZone`.
    ///
    /// Of versions 2 and later the 64-bit data and the footer are used, whose extended hours are
    /// read in every version. Files that count leap seconds are refused.
    public init(name: String, file bytes: [UInt8]) throws(MedicationError) {
        do throws(ZoneFault) {
            try self.init(named: name, reading: bytes)
        } catch {
            throw .badZone(error)
        }
    }

    private init(named name: String, reading bytes: [UInt8]) throws(ZoneFault) {
        guard bytes.count <= ZoneRules.maximumBytes else { throw .tooLarge }
        var reader = ZoneFileReader(bytes: bytes)
        var header = try reader.header()
        let isFirstVersion = header.version == 0
        if !isFirstVersion {
            try reader.skip(header.bytesOfData(timeBytes: 4))
            header = try reader.header()
        }
        guard header.hasPossibleCounts else { throw .badCounts }
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        self.name = name
        transitions = try reader.transitions(header, timeBytes: isFirstVersion ? 4 : 8)
        indices = try reader.indices(header)
        types = try reader.types(header)
        try reader.skip(header.bytesOfIndicators)
        footer = isFirstVersion ? nil : try reader.footer()
    }
}

/// The numbers at the beginning of each of the two parts of a zone file.
private struct ZoneFileHeader {
    let version: UInt8
    let universalIndicators: Int
    let standardIndicators: Int
    let leapSeconds: Int
    let transitions: Int
    let types: Int
    let characters: Int

    var bytesOfIndicators: Int { universalIndicators + standardIndicators }

    /// True when there is a type, and the counts agree as RFC 9636, section 3.1, asks.
    var hasPossibleCounts: Bool {
        (1...256).contains(types) && characters > 0
            && (universalIndicators == 0 || universalIndicators == types)
            && (standardIndicators == 0 || standardIndicators == types)
    }

    func bytesOfData(timeBytes: Int) -> Int {
        transitions * (timeBytes + 1) + types * 6 + characters + leapSeconds * (timeBytes + 4)
            + bytesOfIndicators
    }
}

/// Takes the parts of a zone file one after the other.
private struct ZoneFileReader {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func skip(_ count: Int) throws(ZoneFault) {
        guard count <= bytes.count - offset else { throw .truncated }
        offset += count
    }

    mutating func take(_ count: Int) throws(ZoneFault) -> ArraySlice<UInt8> {
        let start = offset
        try skip(count)
        return bytes[start..<offset]
    }

    /// A big-endian number with a sign.
    mutating func number(bytes count: Int) throws(ZoneFault) -> Int64 {
        let bits = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return count == 4
            ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(truncatingIfNeeded: bits)
    }

    mutating func header() throws(ZoneFault) -> ZoneFileHeader {
        guard try take(4).elementsEqual("TZif".utf8) else { throw .notAZone }
        guard let version = try take(1).first,
            version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(version)
        else { throw .notAZone }
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 {
            let count = try number(bytes: 4)
            guard (0...Int64(ZoneRules.maximumBytes)).contains(count) else { throw .badCounts }
            counts.append(Int(count))
        }
        return ZoneFileHeader(
            version: version, universalIndicators: counts[0], standardIndicators: counts[1],
            leapSeconds: counts[2], transitions: counts[3], types: counts[4],
            characters: counts[5])
    }

    mutating func transitions(
        _ header: ZoneFileHeader, timeBytes: Int
    ) throws(ZoneFault) -> [Int64] {
        var times: [Int64] = []
        for _ in 0..<header.transitions {
            let time = try number(bytes: timeBytes)
            // RFC 9636 sets the lower bound; the upper one keeps sums of times in range.
            guard time >= -1 << 59, time <= 1 << 59, time > times.last ?? .min else {
                throw .badTransition
            }
            times.append(time)
        }
        return times
    }

    mutating func indices(_ header: ZoneFileHeader) throws(ZoneFault) -> [UInt8] {
        let indices = try take(header.transitions)
        guard indices.allSatisfy({ $0 < header.types }) else { throw .badTransition }
        return Array(indices)
    }

    mutating func types(_ header: ZoneFileHeader) throws(ZoneFault) -> [LocalTimeType] {
        var found: [(offset: Int64, flag: UInt8, name: Int)] = []
        for _ in 0..<header.types {
            let offset = try number(bytes: 4)
            let rest = Array(try take(2))
            found.append((offset, rest[0], Int(rest[1])))
        }
        let characters = Array(try take(header.characters))
        var types: [LocalTimeType] = []
        for (offset, flag, name) in found {
            guard LocalTimeType.offsets.contains(offset), flag <= 1, name < characters.count,
                let end = characters[name...].firstIndex(of: 0),
                characters[name..<end].allSatisfy({ (0x21...0x7e).contains($0) })
            else { throw .badLocalTimeType }
            types.append(
                LocalTimeType(
                    offsetSeconds: offset, isDaylight: flag == 1,
                    abbreviation: String(decoding: characters[name..<end], as: UTF8.self)))
        }
        return types
    }

    /// The rule between two line ends, the last bytes of the file; nil when it is empty.
    mutating func footer() throws(ZoneFault) -> PosixRule? {
        guard try take(1).first == UInt8(ascii: "\n") else { throw .badFooter }
        let text = bytes[offset...].dropLast()
        guard bytes.count > offset else { throw .truncated }
        guard bytes.last == UInt8(ascii: "\n"), !text.contains(UInt8(ascii: "\n")) else {
            throw .badFooter
        }
        return text.isEmpty ? nil : try PosixRule(reading: Array(text))
    }
}
