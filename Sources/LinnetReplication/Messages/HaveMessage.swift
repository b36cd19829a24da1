import LinnetCRDT
import LinnetWire

/// The list of everything that the sender holds durably.
///
/// Its chains are numbered. Those of a whole listing are numbered from 0. Where the message gives
/// the difference from what the receiver listed, the numbers of that listing stay and the others
/// follow.
struct HaveMessage: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        case whole
        /// The form that 0.1.0 sent, with a digest that nobody looks at.
        case digested([UInt8])
        /// The sender holds the chains of `listing` and what the receiver listed, except for the
        /// chains in `changed`, which it holds up to another sequence number or with another
        /// prefix, and those in `lacking`, of which it holds nothing. Both ascend.
        case relative(changed: [NumberedHead], lacking: [Int])
    }

    var form = Form.whole
    var listing: VectorListing

    func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: listing.encodedBytesExpected)
        switch form {
        case .whole:
            writer.array(1)
        case .digested(let digest):
            writer.array(2)
            writer.bytes(digest)
        case .relative(let changed, let lacking):
            writer.array(3)
            NumberedHead.write(changed, to: &writer)
            writer.array(lacking.count)
            for number in lacking { writer.unsigned(UInt64(number)) }
        }
        listing.write(to: &writer)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> HaveMessage {
        var reader = CBORReader(body, maxItems: body.count)
        let form: Form
        switch try reader.array(max: 3) {
        case 1: form = .whole
        case 2:
            let digest = try reader.bytes(max: Bytes32.count)
            guard [Bytes8.count, Bytes32.count].contains(digest.count) else { throw .badLength }
            form = .digested(digest)
        case 3:
            let changed = try NumberedHead.read(from: &reader)
            var lacking: [Int] = []
            for _ in 0..<(try reader.array(max: VectorListing.chainsMaximum)) {
                let number = Int(try reader.unsigned(max: UInt64(VectorListing.chainsMaximum)))
                guard lacking.last ?? -1 < number else { throw .nonCanonical }
                lacking.append(number)
            }
            form = .relative(changed: changed, lacking: lacking)
        default: throw .badLength
        }
        let listing = try VectorListing.read(from: &reader)
        try reader.finish()
        return HaveMessage(form: form, listing: listing)
    }
}
