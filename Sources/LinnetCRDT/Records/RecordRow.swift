import LinnetWire

/// A record as its row keeps it: short where every field holds a single value or a group, which is
/// the most frequent case, and the canonical bytes otherwise.
///
/// The short form is 2, the generation, the chains, the number of fields and the fields, each
/// with what differs from the one before it. Integers are LEB128, differences zigzag. It is read
/// under the row's seal alone, so that it is not checked for having just one spelling.
package enum RecordRow {
    fileprivate static let short: UInt8 = 2
    fileprivate static let sameWrite: UInt64 = 1
    fileprivate static let sameBeginning: UInt64 = 2

    /// The content of a record's row.
    package static func encode(_ state: RecordState) -> [UInt8] {
        var size = 64
        var chains: [AuthorID] = []
        guard state.restored.isEmpty, state.deletion == nil else { return state.encoded }
        let contents = state.contents.values
        for content in contents {
            guard case .register(let field) = content else { return state.encoded }
            if chains.last != field.position.chain, !chains.contains(field.position.chain) {
                chains.append(field.position.chain)
            }
            size += 64 + field.payload.count
        }
        let slots = state.contents.keys
        return unsafe [UInt8](unsafeUninitializedCapacity: size + 16 * chains.count) {
            buffer, count in
            var writer = unsafe RowWriter(buffer)
            writer.byte(short)
            writer.number(UInt64(state.generation))
            writer.number(UInt64(chains.count))
            for chain in chains { writer.chain(chain) }
            writer.number(UInt64(slots.count))
            var previous = RowPlace()
            for index in slots.indices {
                guard case .register(let field) = contents[index] else { continue }
                writer.field(slots[index], field, after: &previous, chains: chains)
            }
            count = writer.count
        }
    }

    /// Reads the content of a record's row.
    package static func decode(
        _ bytes: [UInt8], collection: UInt32, record: RecordID
    ) throws(CRDTError) -> RecordState {
        guard bytes.first == short else {
            return try RecordState.decode(bytes, collection: collection, record: record)
        }
        var state = RecordState(collection: collection, record: record)
        var reader = RowReader(bytes)
        do throws(WireError) {
            try state.readRow(from: &reader)
        } catch {
            throw .wire(error)
        }
        return state
    }
}

/// The field before, from which the next one differs little.
private struct RowPlace {
    var field: UInt32 = 0
    var beginning: UInt32 = 1
    var generation: UInt32 = 1
    var stamp: Int64 = 0
    var chain = 0
    var seq: UInt64 = 0
}

extension RecordState {
    fileprivate mutating func readRow(from reader: inout RowReader) throws(WireError) {
        generation = try reader.narrow()
        var chains: [AuthorID] = []
        for _ in 0..<(try reader.number()) { chains.append(try reader.chain()) }
        let count = try reader.number()
        contents.reserveCapacity(Int(min(count, 32)))
        var place = RowPlace()
        for _ in 0..<count {
            let (slot, state) = try reader.field(after: &place, chains: chains)
            contents[slot] = .register(state)
        }
        guard reader.isAtEnd else { throw .trailingBytes }
    }
}

@safe
private struct RowWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.buffer = unsafe buffer
    }

    mutating func byte(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
    }

    mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    mutating func difference(_ value: Int64) {
        number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    mutating func chain(_ chain: AuthorID) {
        for byte in chain.array { self.byte(byte) }
    }

    mutating func field(
        _ slot: FieldSlot, _ state: FieldState, after place: inout RowPlace, chains: [AuthorID]
    ) {
        let position = state.position
        let stamp = state.stamp.rawValue
        let chain =
            chains[place.chain] == position.chain
            ? place.chain : chains.firstIndex(of: position.chain) ?? 0
        let sameWrite =
            stamp == place.stamp && position.seq == place.seq && chain == place.chain
            && state.generation == place.generation
        let flags =
            (sameWrite ? RecordRow.sameWrite : 0)
            | (slot.beginning == place.beginning ? RecordRow.sameBeginning : 0)
        number(UInt64(slot.field &- place.field) << 2 | flags)
        if slot.beginning != place.beginning { number(UInt64(slot.beginning)) }
        if !sameWrite {
            difference(stamp &- place.stamp)
            number(UInt64(state.generation))
            number(UInt64(chain))
            difference(Int64(bitPattern: position.seq &- place.seq))
        }
        number(UInt64(position.index))
        number(UInt64(state.payload.count))
        for byte in state.payload { self.byte(byte) }
        place = RowPlace(
            field: slot.field, beginning: slot.beginning, generation: state.generation,
            stamp: stamp, chain: chain, seq: position.seq)
    }
}

private struct RowReader {
    private let bytes: [UInt8]
    private var offset = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func number() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { throw .truncated }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw .tooLarge
    }

    mutating func narrow() throws(WireError) -> UInt32 {
        guard let value = UInt32(exactly: try number()) else { throw .tooLarge }
        return value
    }

    mutating func difference() throws(WireError) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func chain() throws(WireError) -> AuthorID {
        guard let chain = AuthorID(try take(AuthorID.count)) else { throw .truncated }
        return chain
    }

    private mutating func take(_ count: Int) throws(WireError) -> [UInt8] {
        guard count <= bytes.count - offset else { throw .truncated }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func field(
        after place: inout RowPlace, chains: [AuthorID]
    ) throws(WireError) -> (FieldSlot, FieldState) {
        let head = try number()
        guard let step = UInt32(exactly: head >> 2) else { throw .tooLarge }
        place.field &+= step
        if head & RecordRow.sameBeginning == 0 { place.beginning = try narrow() }
        if head & RecordRow.sameWrite == 0 {
            place.stamp &+= try difference()
            place.generation = try narrow()
            guard let chain = Int(exactly: try number()) else { throw .tooLarge }
            place.chain = chain
            place.seq = place.seq &+ UInt64(bitPattern: try difference())
        }
        let index = try narrow()
        guard let count = Int(exactly: try number()) else { throw .tooLarge }
        let payload = try take(count)
        guard chains.indices.contains(place.chain),
            let stamp = Timestamp(rawValue: place.stamp)
        else { throw .tooLarge }
        return (
            FieldSlot(field: place.field, beginning: place.beginning),
            FieldState(
                generation: place.generation, stamp: stamp,
                position: Position(chain: chains[place.chain], seq: place.seq, index: index),
                payload: payload)
        )
    }
}
