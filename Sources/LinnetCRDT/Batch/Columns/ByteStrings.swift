/// Byte strings that lie one after the other in one buffer.
struct ByteStrings {
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []

    init() {}

    /// Makes room for so many strings and for their bytes.
    init(count: Int, bytes: Int) {
        ends.reserveCapacity(count)
        self.bytes.reserveCapacity(bytes)
    }

    var count: Int { ends.count }

    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    mutating func append(_ string: ArraySlice<UInt8>) {
        bytes.append(contentsOf: string)
        ends.append(bytes.count)
    }

    /// Adds what `write` appends as one string.
    @inline(__always)
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
        ends.append(bytes.count)
    }

    /// Adds a byte to the string that `end` will close.
    mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Adds bytes to the string that `end` will close.
    mutating func extend(_ part: ArraySlice<UInt8>) { bytes.append(contentsOf: part) }

    /// Adds bytes that are there already to the string that `end` will close.
    mutating func extend(byBytesAt range: Range<Int>) {
        // A slice of them would hold the buffer, so that all of it were copied.
        for place in range { bytes.append(bytes[place]) }
    }

    mutating func end() { ends.append(bytes.count) }

    /// Returns true when two of the strings are equal.
    func areEqual(_ first: Int, _ second: Int) -> Bool {
        let (left, right) = (range(first), range(second))
        guard left.count == right.count else { return false }
        return (0..<left.count).allSatisfy { index in
            bytes[left.lowerBound + index] == bytes[right.lowerBound + index]
        }
    }

    /// The number of bytes that two of the strings have in common at their start.
    func commonPrefix(_ first: Int, _ second: Int) -> Int {
        let (left, right) = (range(first), range(second))
        var common = 0
        while common < min(left.count, right.count),
            bytes[left.lowerBound + common] == bytes[right.lowerBound + common]
        {
            common += 1
        }
        return common
    }

    /// True when all bytes are ASCII, so that every string is a text.
    var isASCII: Bool { bytes.allSatisfy { $0 < 0x80 } }
}

extension ByteStrings {
    /// Takes parts of a buffer.
    init(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
        self.init(count: ranges.count, bytes: ranges.reduce(0) { $0 + $1.count })
        for range in ranges { append(bytes[range]) }
    }

    /// Takes `count` strings of one length.
    init(_ bytes: [UInt8], length: Int, count: Int) {
        self.bytes = bytes
        ends = (0..<count).map { ($0 + 1) * length }
    }
}
