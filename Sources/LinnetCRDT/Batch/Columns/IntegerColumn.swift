import LinnetWire

/// A column of whole numbers in the shortest of four forms.
///
/// The first byte holds the form in its two highest bits and a width in the others:
/// - 0: all numbers are equal; that number follows.
/// - 1: every number is `least + step * k`; `least * 2`, plus 1 when a step other than 1 follows;
///   then each `k` in as many bits as the width says.
/// - 2: numbers that never fall: the first; then, for each other one, the difference to the number
///   before it as a Rice code: its high bits in unary, as many low bits as the width says.
/// - 3: each number for itself.
enum IntegerColumn {
    private static let constant: UInt8 = 0
    private static let packed: UInt8 = 1
    private static let rising: UInt8 = 2
    private static let single: UInt8 = 3

    static func write(_ values: [UInt64], to writer: inout ColumnWriter) {
        guard let first = values.first else { return }
        let survey = Survey(values, first: first)
        if survey.least == survey.greatest {
            writer.byte(constant << 6)
            return writer.varint(first)
        }
        let packedBytes = survey.packedBytes(values.count)
        let (risingBytes, low) = survey.risingBytes(values)
        let singleBytes = survey.singleBytes
        if packedBytes <= min(risingBytes, singleBytes) {
            writer.byte(packed << 6 | UInt8(survey.width))
            writer.varint(survey.least << 1 | (survey.step > 1 ? 1 : 0))
            if survey.step > 1 { writer.varint(survey.step) }
            for value in values {
                writer.bits((value - survey.least) / survey.step, width: survey.width)
            }
            writer.endBits()
        } else if risingBytes <= singleBytes {
            writer.byte(rising << 6 | UInt8(low))
            writer.varint(first)
            var previous = first
            for value in values.dropFirst() {
                writeRice(value - previous, low: low, to: &writer)
                previous = value
            }
            writer.endBits()
        } else {
            writer.byte(single << 6)
            for value in values { writer.varint(value) }
        }
    }

    private static func writeRice(_ value: UInt64, low: Int, to writer: inout ColumnWriter) {
        var high = value >> UInt64(low)
        while high >= 32 {
            writer.bits(0xffff_ffff, width: 32)
            high -= 32
        }
        writer.bits((1 << high) - 1, width: Int(high) + 1)
        writer.bits(value & ((1 << UInt64(low)) - 1), width: low)
    }

    /// Reads `count` numbers, which the caller has bounded.
    static func read(_ count: Int, from reader: inout ColumnReader) throws(WireError) -> [UInt64] {
        guard count > 0 else { return [] }
        let head = try reader.byte()
        let width = Int(head & 63)
        switch head >> 6 {
        case constant:
            guard width == 0 else { throw .nonCanonical }
            return [UInt64](repeating: try reader.varint(), count: count)
        case packed: return try readPacked(count, width, from: &reader)
        case rising: return try readRising(count, width, from: &reader)
        default:
            guard width == 0 else { throw .nonCanonical }
            var values: [UInt64] = []
            values.reserveCapacity(count)
            for _ in 0..<count { values.append(try reader.varint()) }
            return values
        }
    }

    private static func readPacked(
        _ count: Int, _ width: Int, from reader: inout ColumnReader
    ) throws(WireError) -> [UInt64] {
        guard width > 0 else { throw .nonCanonical }
        let head = try reader.varint()
        let least = head >> 1
        let step = head & 1 == 1 ? try reader.varint() : 1
        var values: [UInt64] = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            let (scaled, large) = try reader.bits(width).multipliedReportingOverflow(by: step)
            let (value, larger) = scaled.addingReportingOverflow(least)
            guard !large, !larger else { throw .tooLarge }
            values.append(value)
        }
        try reader.endBits()
        return values
    }

    private static func readRising(
        _ count: Int, _ low: Int, from reader: inout ColumnReader
    ) throws(WireError) -> [UInt64] {
        var value = try reader.varint()
        var values: [UInt64] = []
        values.reserveCapacity(count)
        values.append(value)
        for _ in 1..<count {
            let high = try reader.unary()
            guard high >> UInt64(64 - low) == 0 else { throw .tooLarge }
            let difference = high << UInt64(low) | (try reader.bits(low))
            let (sum, large) = value.addingReportingOverflow(difference)
            guard !large else { throw .tooLarge }
            value = sum
            values.append(value)
        }
        try reader.endBits()
        return values
    }

    /// Writes numbers of either sign: the least of them, then the distance of each above it.
    static func writeSigned(_ values: [Int64], to writer: inout ColumnWriter) {
        guard let least = values.min() else { return }
        writer.varint(UInt64(bitPattern: least << 1 ^ least >> 63))
        write(
            values.map { UInt64(bitPattern: $0) &- UInt64(bitPattern: least) }, to: &writer)
    }

    /// Reads the numbers that `writeSigned` wrote.
    static func readSigned(
        _ count: Int, from reader: inout ColumnReader
    ) throws(WireError) -> [Int64] {
        guard count > 0 else { return [] }
        let zigzag = try reader.varint()
        let least = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
        let room = UInt64(bitPattern: Int64.max) &- UInt64(bitPattern: least)
        var values: [Int64] = []
        values.reserveCapacity(count)
        for distance in try read(count, from: &reader) {
            guard distance <= room else { throw .tooLarge }
            values.append(Int64(bitPattern: UInt64(bitPattern: least) &+ distance))
        }
        return values
    }
}

/// The properties of the numbers that decide between the forms.
private struct Survey {
    private(set) var least: UInt64
    private(set) var greatest: UInt64
    /// The greatest common divisor of the distances from the first number.
    private(set) var step: UInt64 = 0
    private(set) var singleBytes = 1
    private var isRising = true

    init(_ values: [UInt64], first: UInt64) {
        least = first
        greatest = first
        var previous = first
        for value in values {
            if value < previous { isRising = false }
            previous = value
            least = min(least, value)
            greatest = max(greatest, value)
            singleBytes += ColumnWriter.varintBytes(value)
            if step != 1 {
                step = Self.divisor(step, value > first ? value - first : first - value)
            }
        }
    }

    private static func divisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }

    var width: Int { 64 - ((greatest - least) / max(1, step)).leadingZeroBitCount }

    func packedBytes(_ count: Int) -> Int {
        guard least < 1 << 63, width < 64 else { return .max }
        let steps = step > 1 ? ColumnWriter.varintBytes(step) : 0
        return 1 + ColumnWriter.varintBytes(least << 1) + steps + (count * width + 7) / 8
    }

    /// The bytes that the rising form takes, and the best number of low bits for it.
    func risingBytes(_ values: [UInt64]) -> (bytes: Int, low: Int) {
        guard isRising else { return (.max, 0) }
        let mean = (greatest - least) / UInt64(values.count - 1)
        let middle = min(56, 63 - min(63, (mean | 1).leadingZeroBitCount))
        var best = (bytes: Int.max, low: 0)
        for low in max(0, middle - 1)...middle + 1 {
            var bits: UInt64 = UInt64(values.count - 1) * UInt64(low + 1)
            for index in 1..<values.count {
                bits += (values[index] - values[index - 1]) >> UInt64(low)
            }
            let bytes = 1 + ColumnWriter.varintBytes(least) + Int(clamping: (bits + 7) / 8)
            if bytes < best.bytes { best = (bytes, low) }
        }
        return best
    }
}
