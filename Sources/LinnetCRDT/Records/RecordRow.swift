import LinnetWire

/// The form of a record in its row: a short one where the record is not deleted, was never restored
/// and holds single values, groups and places alone, which is the most frequent case, and otherwise
/// the canonical bytes.
///
/// The short form is 2, the generation, the chains, the number of fields and the fields, each with
/// its differences from the one before. Integers are written as LEB128, differences in zigzag. Only
/// a row that its seal vouches for is read, so that nothing checks that the form has just one
/// spelling. A record of which contents were set aside begins with 3 and the last generation of
/// these, in four bytes, before its canonical bytes.
package enum RecordRow {
    fileprivate static let short: UInt8 = 2
    private static let setAside: UInt8 = 3
    private static let setAsideBytes = 5
    fileprivate static let sameWrite: UInt64 = 1
    fileprivate static let sameBeginning: UInt64 = 2

    /// Returns the content of a record's row.
    package static func encode(_ state: RecordState) -> [UInt8] {
        guard state.setAsideUpTo == 0 else {
            var bytes = [setAside]
            BigEndian.append(state.setAsideUpTo, to: &bytes)
            return bytes + state.encoded
        }
        guard state.restored.isEmpty, state.deletion == nil, state.contents.areRegisters else {
            return state.encoded
        }
        let registers = state.contents.registers
        var chains: [AuthorID] = []
        for entry in registers.entries
        where chains.last != entry.precedence.position.chain
            && !chains.contains(entry.precedence.position.chain)
        {
            chains.append(entry.precedence.position.chain)
        }
        let size = 64 + 64 * registers.entries.count + registers.payloadBytes
        return unsafe [UInt8](unsafeUninitializedCapacity: size + 16 * chains.count) {
            buffer, count in
            var writer = unsafe RowWriter(buffer)
            writer.byte(short)
            writer.number(UInt64(state.generation))
            writer.number(UInt64(chains.count))
            for chain in chains { writer.chain(chain) }
            writer.number(UInt64(registers.entries.count))
            var previous = RowPlace()
            for entry in registers.entries {
                writer.field(entry, of: registers.bytes, after: &previous, chains: chains)
            }
            count = writer.count
        }
    }

    /// Reads the content of a record's row, in either form, which a seal vouches for; throws for
    /// other bytes.
    package static func decode(
        _ bytes: [UInt8], collection: UInt32, record: RecordID
    ) throws(CRDTError) -> RecordState {
        if bytes.first == setAside {
            guard bytes.count > setAsideBytes else { throw .wire(.truncated) }
            var state = try RecordState.decode(
                Array(bytes[setAsideBytes...]), collection: collection, record: record)
            state.setAsideUpTo = bytes[1..<setAsideBytes].reduce(0) { $0 << 8 | UInt32($1) }
            return state
        }
        guard bytes.first == short else {
            return try RecordState.decode(sealed: bytes, collection: collection, record: record)
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

extension RecordRow {
    /// Returns what the content of a row shows of a live record, without making its state; nil of
    /// one that is not live, and of a row in another form than the short one.
    package static func view(
        _ bytes: [UInt8], of record: RecordID, in collection: Collection
    ) throws(CRDTError) -> RecordView? {
        guard bytes.first == short else { return nil }
        var reader = RowReader(bytes)
        do throws(WireError) {
            let generation = try reader.narrow()
            guard !generation.isMultiple(of: 2) else { return nil }
            try reader.skipChains()
            let count = try reader.number()
            var fields: [FieldValues] = []
            fields.reserveCapacity(Int(min(count, 32)))
            var place = RowPlace()
            for _ in 0..<count {
                let payload = try reader.payload(after: &place)
                guard place.beginning == generation, place.field != 0,
                    let field = collection.field(id: place.field),
                    let values = field.values(of: bytes, in: payload)
                else { continue }
                fields.append(FieldValues(place.field, values))
            }
            guard reader.isAtEnd else { throw .trailingBytes }
            return RecordView(collection: collection.id, id: record, fields: fields)
        } catch {
            throw .wire(error)
        }
    }
}

/// The facts of the field before, from which the next one differs little.
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
        contents.reserve(registers: Int(min(count, 32)), bytes: reader.left)
        var place = RowPlace()
        for _ in 0..<count {
            try reader.field(after: &place, chains: chains, into: &contents)
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
        _ entry: Registers.Entry, of payloads: [UInt8], after place: inout RowPlace,
        chains: [AuthorID]
    ) {
        let slot = entry.slot
        let generation = entry.precedence.generation
        let position = entry.precedence.position
        let stamp = entry.precedence.stamp.rawValue
        let chain =
            chains[place.chain] == position.chain
            ? place.chain : chains.firstIndex(of: position.chain) ?? 0
        let sameWrite =
            stamp == place.stamp && position.seq == place.seq && chain == place.chain
            && generation == place.generation
        let flags =
            (sameWrite ? RecordRow.sameWrite : 0)
            | (slot.beginning == place.beginning ? RecordRow.sameBeginning : 0)
        number(UInt64(slot.field &- place.field) << 2 | flags)
        if slot.beginning != place.beginning { number(UInt64(slot.beginning)) }
        if !sameWrite {
            difference(stamp &- place.stamp)
            number(UInt64(generation))
            number(UInt64(chain))
            difference(Int64(bitPattern: position.seq &- place.seq))
        }
        number(UInt64(position.index))
        number(UInt64(entry.payload.count))
        for place in entry.payload { byte(payloads[place]) }
        place = RowPlace(
            field: slot.field, beginning: slot.beginning, generation: generation,
            stamp: stamp, chain: chain, seq: position.seq)
    }
}

private struct RowReader {
    private let bytes: [UInt8]
    private var offset = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// The number of bytes that are still to be read.
    var left: Int { bytes.count - offset }

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
        guard let chain = AuthorID(Array(bytes[try take(AuthorID.count)])) else {
            throw .truncated
        }
        return chain
    }

    /// Passes over the chains, which stand before the fields.
    mutating func skipChains() throws(WireError) {
        guard let count = Int(exactly: try number()), count <= left / AuthorID.count else {
            throw .truncated
        }
        _ = try take(count * AuthorID.count)
    }

    /// Reads the next field, of which only the place and the payload are wanted.
    mutating func payload(after place: inout RowPlace) throws(WireError) -> Range<Int> {
        let head = try number()
        guard let step = UInt32(exactly: head >> 2) else { throw .tooLarge }
        place.field &+= step
        if head & RecordRow.sameBeginning == 0 { place.beginning = try narrow() }
        if head & RecordRow.sameWrite == 0 {
            for _ in 0..<4 { _ = try number() }
        }
        _ = try number()
        guard let count = Int(exactly: try number()) else { throw .tooLarge }
        return try take(count)
    }

    private mutating func take(_ count: Int) throws(WireError) -> Range<Int> {
        guard count <= bytes.count - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Reads the next field; throws unless its slot comes after the one before it.
    mutating func field(
        after place: inout RowPlace, chains: [AuthorID], into contents: inout FieldContents
    ) throws(WireError) {
        let previous = FieldSlot(field: place.field, beginning: place.beginning)
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
        let slot = FieldSlot(field: place.field, beginning: place.beginning)
        guard chains.indices.contains(place.chain),
            let stamp = Timestamp(rawValue: place.stamp)
        else { throw .tooLarge }
        guard contents.count == 0 || previous < slot else { throw .nonCanonical }
        let precedence = Precedence(
            generation: place.generation, stamp: stamp,
            position: Position(chain: chains[place.chain], seq: place.seq, index: index))
        _ = contents.merge(precedence, of: slot, payload: payload, of: bytes)
    }
}
