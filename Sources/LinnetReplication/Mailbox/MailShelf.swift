import LinnetCRDT
import LinnetWire

/// A list of packs that does not fit into a head, in an object of its own, which the head names as
/// it names packs, and without a range.
struct MailShelf: Equatable, Sendable {
    private static let version: UInt64 = 2

    /// The device whose packs these are, so that no two make one object.
    var device: DeviceID
    var packs: [PackReference]

    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + packs.count * 160)
        writer.array(3)
        writer.unsigned(Self.version)
        writer.bytes(device)
        writer.array(packs.count)
        for pack in packs { pack.write(to: &writer) }
        return writer.bytes
    }

    /// Reads a shelf; one that names no pack, or another shelf, is none.
    static func decode(_ content: [UInt8]) throws(MailFault) -> MailShelf {
        do throws(WireError) {
            var reader = CBORReader(content, maxItems: content.count)
            try reader.array(exactly: 3)
            guard try reader.unsigned() == version else { throw .unexpectedType }
            var shelf = MailShelf(device: try reader.bytes32(), packs: [])
            for _ in 0..<(try reader.array()) {
                shelf.packs.append(try PackReference.read(from: &reader))
            }
            try reader.finish()
            guard !shelf.packs.isEmpty, !shelf.packs.contains(where: \.isShelf) else {
                throw .badLength
            }
            return shelf
        } catch {
            throw .malformed
        }
    }
}

extension PackReference {
    /// True for the name of a shelf, which stands for no batch itself.
    var isShelf: Bool { ranges.isEmpty }

    /// The bytes that it takes in a head.
    var encodedBytes: Int {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes.count
    }
}

extension Post {
    /// The packs that a head names, itself and by the shelves that were read.
    func packs(of known: KnownHead) -> [PackReference] {
        guard known.head.packs.contains(where: \.isShelf) else { return known.head.packs }
        return known.head.packs.flatMap { pack -> [PackReference] in
            guard pack.isShelf else { return [pack] }
            guard let shelf = self.known.shelves[pack.hash], shelf.device == known.head.device
            else { return [] }
            return shelf.packs
        }
    }

    /// The shelves of a head that were not read.
    func unreadShelves(of known: KnownHead) -> [PackReference] {
        known.head.packs.filter { $0.isShelf && self.known.shelves[$0.hash] == nil }
    }
}
