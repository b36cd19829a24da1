import LinnetWire

/// The durable part of a post: what a device left in one mailbox, and where that is.
struct PostState: Equatable, Sendable {
    /// The place, as the shell reads it.
    var address: String
    /// The newest head of this device that may lie there, and its number.
    var number: UInt64 = 0
    var head: Bytes16 = .zero
    /// True when that head was read back.
    var isConfirmed = false
    /// The epoch under whose keys it is sealed.
    var epoch: EpochID = .zero
    /// The ranges of the batches in it.
    var inline: [MailRange] = []
    /// The packs of this device that were read back.
    var packs: [OwnPack] = []
    /// True when the head names these packs.
    var areNamed = true
    /// The packs that gave way to own ones, as this device saw itself.
    var replaced: [MailHead.ReplacedPack] = []
    /// The packs that this device put, or was about to put, and has not read back.
    var tried: [OwnPack] = []
    /// The time of the last round that was whole, in Unix milliseconds; zero before the first.
    var lastRound: UInt64 = 0

    /// The lists of own packs that were read back, where these do not fit into a head.
    var shelves: [OwnShelf] = []

    struct OwnShelf: Equatable, Sendable {
        var reference: PackReference
        var bytes: Int
        /// The hashes of the packs on it.
        var packs: [Bytes16]
    }

    struct OwnPack: Equatable, Sendable {
        var reference: PackReference
        var bytes: Int

        func write(to writer: inout CBORWriter) {
            writer.array(2)
            reference.write(to: &writer)
            writer.unsigned(UInt64(bytes))
        }

        static func read(from reader: inout CBORReader) throws(WireError) -> OwnPack {
            try reader.array(exactly: 2)
            let reference = try PackReference.read(from: &reader)
            let bytes = try reader.unsigned(max: UInt64(Limits.mailObjectBytes))
            return OwnPack(reference: reference, bytes: Int(bytes))
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(!shelves.isEmpty ? 12 : tried.isEmpty ? 10 : 11)
        writer.text(address)
        writer.unsigned(number)
        writer.bytes(head)
        writer.bool(isConfirmed)
        writer.bytes(epoch)
        MailRange.write(inline, to: &writer)
        writer.array(packs.count)
        for pack in packs { pack.write(to: &writer) }
        writer.bool(areNamed)
        writer.array(replaced.count)
        for pair in replaced {
            writer.array(2)
            writer.bytes(pair.old)
            writer.bytes(pair.new)
        }
        writer.unsigned(lastRound)
        guard !tried.isEmpty || !shelves.isEmpty else { return }
        writer.array(tried.count)
        for pack in tried { pack.write(to: &writer) }
        guard !shelves.isEmpty else { return }
        writer.array(shelves.count)
        for shelf in shelves {
            writer.array(2)
            OwnPack(reference: shelf.reference, bytes: shelf.bytes).write(to: &writer)
            writer.array(shelf.packs.count)
            for pack in shelf.packs { writer.bytes(pack) }
        }
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> PostState {
        let parts = try reader.array()
        guard (10...12).contains(parts) else { throw .badLength }
        var state = PostState(address: try reader.text())
        state.number = try reader.unsigned()
        state.head = try reader.bytes16()
        state.isConfirmed = try reader.bool()
        state.epoch = try reader.bytes32()
        state.inline = try MailRange.readAll(from: &reader)
        for _ in 0..<(try reader.array()) {
            state.packs.append(try OwnPack.read(from: &reader))
        }
        state.areNamed = try reader.bool()
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 2)
            state.replaced.append(
                MailHead.ReplacedPack(old: try reader.bytes16(), new: try reader.bytes16()))
        }
        state.lastRound = try reader.unsigned()
        guard parts > 10 else { return state }
        for _ in 0..<(try reader.array()) { state.tried.append(try OwnPack.read(from: &reader)) }
        guard parts > 11 else { return state }
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 2)
            let pack = try OwnPack.read(from: &reader)
            var shelf = OwnShelf(reference: pack.reference, bytes: pack.bytes, packs: [])
            for _ in 0..<(try reader.array()) { shelf.packs.append(try reader.bytes16()) }
            state.shelves.append(shelf)
        }
        return state
    }
}
