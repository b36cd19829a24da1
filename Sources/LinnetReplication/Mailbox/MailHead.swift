import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The batches of one chain that an object holds, without a hole.
struct MailRange: Equatable, Sendable {
    var key: ChainKey
    var first: UInt64
    var last: UInt64
    /// The start of the identifier of the last one.
    var prefix: Bytes8
}

/// A pack as heads name it.
struct PackReference: Equatable, Sendable {
    var hash: Bytes16
    var key: Bytes32
    /// The times that its batches were copied; it decides nothing.
    var generation: UInt64
    var ranges: [MailRange]

    var name: MailName { MailName(.pack, hash) }
}

/// The newest head of an author that a device has read.
struct SeenHead: Equatable, Sendable {
    var device: DeviceID
    var incarnation: Incarnation
    var number: UInt64
    var hash: Bytes16

    var author: AuthorID { AuthorName.author(device: device, incarnation: incarnation) }
}

/// One device's news in a mailbox, signed by it.
struct MailHead: Equatable, Sendable {
    static let version: UInt64 = 1

    var group: GroupID
    var device: DeviceID
    var incarnation: Incarnation
    /// One more than that of this author's head before it.
    var number: UInt64
    /// The hash in that head's name; zero in the first one.
    var previous: Bytes16
    /// The heads of the author's membership log.
    var memberHeads: [MemberRecordID] = []
    /// The chains that the author holds.
    var vector = VectorListing()
    var packs: [PackReference] = []
    /// The packs that gave way of late: each with the hash of the one that took its place.
    var replaced: [ReplacedPack] = []
    var seen: [SeenHead] = []
    /// The author's clock in Unix milliseconds, for people alone.
    var wallMilliseconds: UInt64 = 0
    /// The ranges of the batches below.
    var ranges: [MailRange] = []
    /// The newest batches, as bodies of `batch` messages with whole headers.
    var batches: [[UInt8]] = []

    struct ReplacedPack: Equatable, Sendable {
        var old: Bytes16
        var new: Bytes16
    }

    var author: AuthorID { AuthorName.author(device: device, incarnation: incarnation) }

    /// Returns the signed content of the object.
    func signed(by signer: borrowing SigningKey) -> [UInt8] {
        let inner = encoded
        var writer = CBORWriter(capacity: inner.count + 80)
        writer.array(2)
        writer.bytes(inner)
        writer.bytes(signer.sign(.mailHead, inner))
        return writer.bytes
    }

    /// Reads the content of an object and checks its signature.
    static func decode(signed content: [UInt8]) throws(MailFault) -> MailHead {
        let head: MailHead
        let (inner, signature): ([UInt8], [UInt8])
        do throws(WireError) {
            var reader = CBORReader(content)
            try reader.array(exactly: 2)
            inner = try reader.bytes(max: Limits.mailHeadBytes)
            signature = try reader.bytes(max: SigningKey.signatureBytes)
            try reader.finish()
            head = try decode(inner)
        } catch {
            throw .malformed
        }
        guard SigningKey.isValid(signature, .mailHead, inner, publicKey: head.device.array) else {
            throw .badSignature
        }
        return head
    }

    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 4_096)
        writer.array(14)
        writer.unsigned(Self.version)
        writer.bytes(group)
        writer.bytes(device)
        writer.bytes(incarnation)
        writer.unsigned(number)
        writer.bytes(previous)
        writer.array(memberHeads.count)
        for head in memberHeads { writer.bytes(head) }
        vector.write(to: &writer)
        writer.array(packs.count)
        for pack in packs { pack.write(to: &writer) }
        writer.array(replaced.count)
        for pair in replaced {
            writer.array(2)
            writer.bytes(pair.old)
            writer.bytes(pair.new)
        }
        writer.array(seen.count)
        for head in seen { head.write(to: &writer) }
        writer.unsigned(wallMilliseconds)
        MailRange.write(ranges, to: &writer)
        writer.array(batches.count)
        for batch in batches { writer.bytes(batch) }
        return writer.bytes
    }

    private static func decode(_ bytes: [UInt8]) throws(WireError) -> MailHead {
        // The bytes bound the items.
        var reader = CBORReader(bytes, maxItems: bytes.count)
        guard try reader.array(max: 64) == 14, try reader.unsigned() == version else {
            throw .unexpectedType
        }
        var head = MailHead(
            group: try reader.bytes32(), device: try reader.bytes32(),
            incarnation: try reader.bytes8(), number: try reader.unsigned(max: UInt64(Int64.max)),
            previous: try reader.bytes16())
        for _ in 0..<(try reader.array(max: Limits.memberHeads)) {
            head.memberHeads.append(try reader.bytes32())
        }
        head.vector = try VectorListing.read(from: &reader)
        for _ in 0..<(try reader.array()) {
            head.packs.append(try PackReference.read(from: &reader))
        }
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 2)
            head.replaced.append(
                ReplacedPack(old: try reader.bytes16(), new: try reader.bytes16()))
        }
        for _ in 0..<(try reader.array()) { head.seen.append(try SeenHead.read(from: &reader)) }
        head.wallMilliseconds = try reader.unsigned(max: UInt64(Int64.max))
        head.ranges = try MailRange.readAll(from: &reader)
        for _ in 0..<(try reader.array()) {
            head.batches.append(try reader.bytes(max: MailPack.batchBytes))
        }
        try reader.finish()
        return head
    }
}

/// The reason why an object of a mailbox is none.
enum MailFault: Error, Equatable, Sendable {
    case malformed
    case badSignature
}

extension PackReference {
    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes(hash)
        writer.bytes(key)
        writer.unsigned(generation)
        MailRange.write(ranges, to: &writer)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> PackReference {
        try reader.array(exactly: 4)
        return PackReference(
            hash: try reader.bytes16(), key: try reader.bytes32(),
            generation: try reader.unsigned(max: UInt64(Int64.max)),
            ranges: try MailRange.readAll(from: &reader))
    }
}

extension MailRange {
    /// True when one of some ranges holds all of it.
    func isWithin(_ ranges: [MailRange]) -> Bool {
        ranges.contains { $0.key == key && $0.first <= first && last <= $0.last }
    }

    static func write(_ ranges: [MailRange], to writer: inout CBORWriter) {
        writer.array(ranges.count)
        for range in ranges {
            writer.array(5)
            writer.bytes(range.key.scope)
            writer.bytes(range.key.chain)
            writer.unsigned(range.first)
            writer.unsigned(range.last)
            writer.bytes(range.prefix)
        }
    }

    static func readAll(from reader: inout CBORReader) throws(WireError) -> [MailRange] {
        var ranges: [MailRange] = []
        for _ in 0..<(try reader.array()) {
            try reader.array(exactly: 5)
            let range = MailRange(
                key: ChainKey(scope: try reader.bytes16(), chain: try reader.bytes16()),
                first: try reader.unsigned(max: UInt64(Int64.max)),
                last: try reader.unsigned(max: UInt64(Int64.max)), prefix: try reader.bytes8())
            guard 1 <= range.first, range.first <= range.last else { throw .badLength }
            ranges.append(range)
        }
        return ranges
    }
}

extension SeenHead {
    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes(device)
        writer.bytes(incarnation)
        writer.unsigned(number)
        writer.bytes(hash)
    }

    static func read(from reader: inout CBORReader) throws(WireError) -> SeenHead {
        try reader.array(exactly: 4)
        return SeenHead(
            device: try reader.bytes32(), incarnation: try reader.bytes8(),
            number: try reader.unsigned(max: UInt64(Int64.max)), hash: try reader.bytes16())
    }
}
