/// Raw deflate streams of short inputs, with the codes that the format fixes.
///
/// A stream is byte for byte the one that zlib makes at level 6 with `Z_FIXED`. Of zlib's work for
/// so few bytes nearly all is to set up its state, and to make codes that it then drops.
@safe
struct FixedDeflate {
    /// An input may have no more bytes than this.
    static let inputMaximum = 512
    /// Strings of so many bytes are looked for; matches are as long at the least.
    private static let shortest = 3
    /// A match has no more bytes than this, and may be read so far past the end of the input.
    private static let longest = 258
    private static let hashBits = 12
    /// The effort of level 6: no better match is looked for after one of `lazy` bytes, a match of
    /// `nice` bytes ends a search, and after one of `good` bytes only a quarter of the places are
    /// looked at.
    private static let (good, lazy, nice, places) = (8, 16, 128, 128)

    /// The input, followed by zeros.
    private let input: UnsafePointer<UInt8>
    private let count: Int
    /// The last place of each hash of three bytes, and for each place the one before it; the place
    /// 0 is none.
    private let last: UnsafeMutablePointer<UInt16>
    private let before: UnsafeMutablePointer<UInt16>
    private var output = BitWriter()

    /// Compresses an input of at most ``inputMaximum`` bytes.
    static func compress(_ input: [UInt8]) -> [UInt8] {
        precondition(input.count <= inputMaximum, "codes are fixed for short inputs only")
        let hashes = 1 << hashBits
        return unsafe withUnsafeTemporaryAllocation(
            of: UInt16.self, capacity: hashes + input.count + 1
        ) { tables in
            unsafe withUnsafeTemporaryAllocation(
                of: UInt8.self, capacity: input.count + 2 * longest
            ) { bytes in
                guard let table = tables.baseAddress, let base = bytes.baseAddress else {
                    preconditionFailure("room has an address")
                }
                unsafe tables.initialize(repeating: 0)
                unsafe bytes.initialize(repeating: 0)
                unsafe input.withUnsafeBufferPointer { source in
                    if let source = source.baseAddress {
                        unsafe base.update(from: source, count: input.count)
                    }
                }
                var stream = unsafe FixedDeflate(
                    input: base, count: input.count, last: table, before: table + hashes)
                stream.run()
                let coded = stream.output.finish()
                return coded.count >= input.count + 4 ? stored(input) : coded
            }
        }
    }

    private init(
        input: UnsafePointer<UInt8>, count: Int, last: UnsafeMutablePointer<UInt16>,
        before: UnsafeMutablePointer<UInt16>
    ) {
        unsafe self.input = input
        self.count = count
        unsafe self.last = last
        unsafe self.before = before
    }

    /// The input as it stands, where codes would save nothing.
    private static func stored(_ input: [UInt8]) -> [UInt8] {
        let count = UInt16(input.count)
        var stream: [UInt8] = [1]
        for number in [count, ~count] {
            stream.append(UInt8(truncatingIfNeeded: number))
            stream.append(UInt8(truncatingIfNeeded: number >> 8))
        }
        return stream + input
    }

    /// Writes one block: a match is written when the next place has no longer one.
    private mutating func run() {
        // The last block, of fixed codes.
        output.write(0b011, bits: 3)
        var place = 0
        var found = (length: Self.shortest - 1, start: 0)
        var isByteDue = false
        while place < count {
            let candidate = enter(place)
            let previous = found
            found.length = Self.shortest - 1
            if candidate != 0, previous.length < Self.lazy {
                found = longestMatch(at: place, from: candidate, longerThan: previous)
            }
            if previous.length >= Self.shortest, found.length <= previous.length {
                output.match(previous.length, distance: place - 1 - previous.start)
                let end = place - 1 + previous.length
                while place + 1 < end {
                    place += 1
                    _ = enter(place)
                }
                isByteDue = false
                found.length = Self.shortest - 1
            } else {
                if isByteDue { unsafe output.literal(input[place - 1]) }
                isByteDue = true
            }
            place += 1
        }
        if isByteDue { unsafe output.literal(input[count - 1]) }
        output.endOfBlock()
    }

    /// Enters the string at a place, and returns the last place with the same hash.
    private func enter(_ place: Int) -> Int {
        guard place + Self.shortest <= count else { return 0 }
        let three = unsafe (input[place], input[place + 1], input[place + 2])
        let hash =
            (Int(three.0) << 8 ^ Int(three.1) << 4 ^ Int(three.2)) & ((1 << Self.hashBits) - 1)
        let same = unsafe last[hash]
        unsafe before[place] = same
        unsafe last[hash] = UInt16(place)
        return Int(same)
    }

    private func longestMatch(
        at place: Int, from candidate: Int, longerThan previous: (length: Int, start: Int)
    ) -> (length: Int, start: Int) {
        let left = count - place
        let enough = min(Self.nice, left)
        var best = previous
        var candidate = candidate
        var rest = previous.length >= Self.good ? Self.places / 4 : Self.places
        let here = unsafe input + place
        while candidate != 0, rest > 0 {
            let there = unsafe input + candidate
            if unsafe there[best.length] == here[best.length],
                unsafe there[best.length - 1] == here[best.length - 1],
                unsafe there[0] == here[0], unsafe there[1] == here[1]
            {
                var length = 2
                while length < Self.longest, unsafe there[length] == here[length] { length += 1 }
                if length > best.length {
                    best = (length, candidate)
                    if length >= enough { break }
                }
            }
            candidate = unsafe Int(before[candidate])
            rest -= 1
        }
        return (min(best.length, left), best.start)
    }
}

/// Bits as deflate joins them, and the fixed codes (RFC 1951, sections 3.1.1 and 3.2.6).
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingBits = 0

    init() { bytes.reserveCapacity(FixedDeflate.inputMaximum) }

    /// Writes a number, its lowest bit first.
    mutating func write(_ value: Int, bits: Int) {
        pending |= UInt64(value) << UInt64(pendingBits)
        pendingBits += bits
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    /// Writes a code, its highest bit first.
    private mutating func code(_ value: Int, bits: Int) {
        var (rest, turned) = (value, 0)
        for _ in 0..<bits {
            turned = turned << 1 | rest & 1
            rest >>= 1
        }
        write(turned, bits: bits)
    }

    mutating func literal(_ byte: UInt8) {
        if byte < 144 {
            code(0x30 + Int(byte), bits: 8)
        } else {
            code(0x190 + Int(byte) - 144, bits: 9)
        }
    }

    mutating func match(_ length: Int, distance: Int) {
        if length == 258 {
            code(0xc0 + 5, bits: 8)
        } else {
            let (symbol, extra, bits) = Self.split(length - 3, direct: 4)
            if symbol < 23 {
                code(symbol + 1, bits: 7)
            } else {
                code(0xc0 + symbol - 23, bits: 8)
            }
            write(extra, bits: bits)
        }
        let (symbol, extra, bits) = Self.split(distance - 1, direct: 2)
        code(symbol, bits: 5)
        write(extra, bits: bits)
    }

    mutating func endOfBlock() { code(0, bits: 7) }

    mutating func finish() -> [UInt8] {
        if pendingBits > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        return bytes
    }

    /// The symbol of a number, and what follows it: after twice `direct` numbers with a symbol of
    /// their own, `direct` symbols share each doubling.
    private static func split(
        _ number: Int, direct: Int
    ) -> (symbol: Int, extra: Int, bits: Int) {
        guard number >= 2 * direct else { return (number, 0, 0) }
        let width = Int.bitWidth - number.leadingZeroBitCount
        let bits = width - (direct == 4 ? 3 : 2)
        let symbol = bits * direct + number >> bits
        return (symbol, number & ((1 << bits) - 1), bits)
    }
}
