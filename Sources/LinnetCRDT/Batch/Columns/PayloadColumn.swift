import LinnetWire

/// A column of payloads, each one canonical CBOR item, in a form for the values that are common.
///
/// The first byte names what all of them are: 1 texts, as a column of their bytes; 2 true or
/// false, as a column of 0 and 1; 3 whole numbers, as a column of signed numbers; 4 decimals, as
/// the least exponent and a column of signed mantissas at that exponent; 5 floating-point numbers,
/// as a column of their bits with the bytes reversed; 6 instants and 7 dates, as columns of signed
/// numbers. 0 is anything: a column of the payloads' bytes.
enum PayloadColumn {
    private enum Kind: UInt8 {
        case opaque = 0
        case text = 1
        case bool = 2
        case integer = 3
        case decimal = 4
        case double = 5
        case instant = 6
        case date = 7
    }

    /// The bytes that instants begin with, and those that dates begin with.
    private static let instant: [UInt8] = [0x82, 2]
    private static let date: [UInt8] = [0x82, 3]

    static func write(_ payloads: ByteStrings, to writer: inout ColumnWriter) {
        guard payloads.count > 0 else { return }
        var column = ColumnWriter()
        let kind = kind(of: payloads[0])
        guard writeTyped(payloads, kind, to: &column) else {
            writer.byte(Kind.opaque.rawValue)
            return StringColumn.write(payloads, to: &writer)
        }
        writer.byte(kind.rawValue)
        writer.append(column)
    }

    private static func kind(of payload: ArraySlice<UInt8>) -> Kind {
        guard let head = payload.first else { return .opaque }
        let second = payload.dropFirst().first
        switch head {
        case 0x00...0x3f: return .integer
        case 0x60...0x7f: return .text
        case 0xf4, 0xf5: return .bool
        case 0xfb: return .double
        case 0x82 where second == 2: return .instant
        case 0x82 where second == 3: return .date
        case 0x83 where second == 1: return .decimal
        default: return .opaque
        }
    }

    /// Writes the payloads in the form of a kind; false unless all are of that kind and canonical.
    private static func writeTyped(
        _ payloads: ByteStrings, _ kind: Kind, to writer: inout ColumnWriter
    ) -> Bool {
        switch kind {
        case .opaque: return false
        case .text: return writeTexts(payloads, to: &writer)
        case .bool:
            var values: [UInt64] = []
            values.reserveCapacity(payloads.count)
            for index in 0..<payloads.count {
                let payload = payloads[index]
                guard payload.count == 1, let byte = payload.first, byte & 0xfe == 0xf4
                else { return false }
                values.append(UInt64(byte & 1))
            }
            IntegerColumn.write(values, to: &writer)
            return true
        case .double:
            var values: [UInt64] = []
            values.reserveCapacity(payloads.count)
            for index in 0..<payloads.count {
                let payload = payloads[index]
                guard payload.count == 9, payload.first == 0xfb else { return false }
                values.append(bigEndian(payload.dropFirst()).byteSwapped)
            }
            IntegerColumn.write(values, to: &writer)
            return true
        case .integer: return writeIntegers(payloads, after: [], to: &writer)
        case .instant: return writeIntegers(payloads, after: instant, to: &writer)
        case .date: return writeIntegers(payloads, after: date, to: &writer)
        case .decimal: return writeDecimals(payloads, to: &writer)
        }
    }

    private static func writeTexts(
        _ payloads: ByteStrings, to writer: inout ColumnWriter
    ) -> Bool {
        var strings = ByteStrings(count: payloads.count, bytes: payloads.bytes.count)
        for index in 0..<payloads.count {
            let payload = payloads[index]
            guard let head = ItemHead(payload), head.major == 3,
                head.argument == UInt64(payload.endIndex - head.end)
            else { return false }
            strings.append(payload[head.end...])
        }
        StringColumn.write(strings, to: &writer)
        return true
    }

    /// Writes whole numbers, which stand after first bytes that are the same in all payloads.
    private static func writeIntegers(
        _ payloads: ByteStrings, after prefix: [UInt8], to writer: inout ColumnWriter
    ) -> Bool {
        var values: [Int64] = []
        values.reserveCapacity(payloads.count)
        for index in 0..<payloads.count {
            let payload = payloads[index]
            guard payload.starts(with: prefix),
                let head = ItemHead(payload.dropFirst(prefix.count)),
                head.end == payload.endIndex, let value = head.signed
            else { return false }
            values.append(value)
        }
        IntegerColumn.writeSigned(values, to: &writer)
        return true
    }

    private static func writeDecimals(
        _ payloads: ByteStrings, to writer: inout ColumnWriter
    ) -> Bool {
        var decimals: [Decimal64] = []
        for index in 0..<payloads.count {
            let payload = payloads[index]
            guard payload.starts(with: [0x83, 1]), let head = ItemHead(payload.dropFirst(2)),
                let mantissa = head.signed, let tail = ItemHead(payload[head.end...]),
                tail.end == payload.endIndex,
                let exponent = tail.signed.flatMap({ Int8(exactly: $0) }),
                let decimal = Decimal64(mantissa: mantissa, exponent: exponent),
                decimal.mantissa == mantissa, decimal.exponent == exponent
            else { return false }
            decimals.append(decimal)
        }
        guard let least = decimals.map(\.exponent).min() else { return false }
        var mantissas: [Int64] = []
        for decimal in decimals {
            var mantissa = decimal.mantissa
            // Zero is zero at every exponent.
            for _ in least..<(mantissa == 0 ? least : decimal.exponent) {
                let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
                if overflow { return false }
                mantissa = product
            }
            mantissas.append(mantissa)
        }
        writer.byte(UInt8(bitPattern: least))
        IntegerColumn.writeSigned(mantissas, to: &writer)
        return true
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Reading

    /// Reads `count` payloads, which the caller has bounded.
    static func read(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .unexpectedType }
        switch kind {
        case .opaque: return try readOpaque(count, from: &reader)
        case .text: return try readTexts(count, from: &reader)
        case .bool:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            for value in try IntegerColumn.read(count, from: &reader) {
                guard value < 2 else { throw .tooLarge }
                bytes.append(value == 1 ? 0xf5 : 0xf4)
            }
            return ByteStrings(bytes, length: 1, count: count)
        case .double: return try readDoubles(count, from: &reader)
        case .integer: return try readIntegers(count, after: [], from: &reader)
        case .instant: return try readIntegers(count, after: instant, from: &reader)
        case .date: return try readIntegers(count, after: date, from: &reader)
        case .decimal: return try readDecimals(count, from: &reader)
        }
    }

    private static func readOpaque(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        let strings = try StringColumn.read(count, from: &reader)
        for index in 0..<count {
            let range = strings.range(index)
            var item = CBORReader(strings.bytes, range: range, maxItems: range.count)
            _ = try item.rawItem()
            try item.finish()
        }
        return strings
    }

    private static func readTexts(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        let strings = try StringColumn.read(count, from: &reader)
        let isASCII = strings.isASCII
        var payloads = ByteStrings(count: count, bytes: strings.bytes.count + 3 * count)
        for index in 0..<count {
            let text = strings[index]
            guard text.count <= Limits.cborStringBytes else { throw .tooLarge }
            guard isASCII || String(validating: text, as: UTF8.self) != nil else {
                throw .badText
            }
            payloads.append { bytes in
                ItemHead.append(major: 3, UInt64(text.count), to: &bytes)
                bytes.append(contentsOf: text)
            }
        }
        return payloads
    }

    private static func readIntegers(
        _ count: Int, after prefix: [UInt8], from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        var payloads = ByteStrings(count: count, bytes: (prefix.count + 9) * count)
        for value in try IntegerColumn.readSigned(count, from: &reader) {
            payloads.append { bytes in
                bytes.append(contentsOf: prefix)
                ItemHead.append(signed: value, to: &bytes)
            }
        }
        return payloads
    }

    private static func readDoubles(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        var payloads = ByteStrings(count: count, bytes: 9 * count)
        for bits in try IntegerColumn.read(count, from: &reader) {
            let value = Double(bitPattern: bits.byteSwapped)
            guard !value.isNaN, value != 0 || value.sign == .plus else { throw .nonCanonical }
            payloads.append { bytes in
                bytes.append(0xfb)
                BigEndian.append(value.bitPattern, to: &bytes)
            }
        }
        return payloads
    }

    private static func readDecimals(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> ByteStrings {
        let exponent = Int8(bitPattern: try reader.byte())
        var payloads = ByteStrings(count: count, bytes: 13 * count)
        for mantissa in try IntegerColumn.readSigned(count, from: &reader) {
            guard let decimal = Decimal64(mantissa: mantissa, exponent: exponent) else {
                throw .tooLarge
            }
            payloads.append { bytes in
                bytes.append(0x83)
                bytes.append(1)
                ItemHead.append(signed: decimal.mantissa, to: &bytes)
                ItemHead.append(signed: Int64(decimal.exponent), to: &bytes)
            }
        }
        return payloads
    }
}

/// The head of a CBOR item in its shortest form (RFC 8949 section 3): its major type, its argument,
/// and where it ends.
struct ItemHead {
    let major: UInt8
    let argument: UInt64
    let end: Int

    /// Reads the head at the beginning of `bytes`; nil unless there is one in its shortest form.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return nil }
        let offset = bytes.startIndex
        major = first >> 5
        let short = first & 31
        guard short >= 24 else {
            argument = UInt64(short)
            end = offset + 1
            return
        }
        guard short < 28 else { return nil }
        let count = 1 << Int(short - 24)
        guard count < bytes.count else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset + 1...offset + count] { value = value << 8 | UInt64(byte) }
        let least: UInt64 = count == 1 ? 24 : 1 << UInt64(count * 4)
        guard value >= least else { return nil }
        argument = value
        end = offset + 1 + count
    }

    /// The whole number that the item is; nil for another item and for a number outside 64 bits.
    var signed: Int64? {
        guard major < 2, let magnitude = Int64(exactly: argument) else { return nil }
        return major == 0 ? magnitude : ~magnitude
    }

    static func append(major: UInt8, _ argument: UInt64, to bytes: inout [UInt8]) {
        let type = major << 5
        switch argument {
        case 0..<24: bytes.append(type | UInt8(argument))
        case 24...0xff:
            bytes.append(type | 24)
            bytes.append(UInt8(argument))
        case 0x100...0xffff:
            bytes.append(type | 25)
            BigEndian.append(UInt16(argument), to: &bytes)
        case 0x1_0000...0xffff_ffff:
            bytes.append(type | 26)
            BigEndian.append(UInt32(argument), to: &bytes)
        default:
            bytes.append(type | 27)
            BigEndian.append(argument, to: &bytes)
        }
    }

    static func append(signed value: Int64, to bytes: inout [UInt8]) {
        append(
            major: value < 0 ? 1 : 0, UInt64(bitPattern: value < 0 ? ~value : value), to: &bytes)
    }
}
