import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetWire
import Testing

@testable import LinnetReplication

/// The messages of the vectors, read by what the page says alone.
@Suite struct BaseReadingTests {
    @Test func `an offer is named by its floors and the group`() throws {
        let offer = try BaseVectors.offer()
        let group = try Kit.log().group
        let message = offer.encode()
        // [is offer, floors, records, bytes]: the second item as it stands there.
        var reader = CBORReader(message)
        try reader.array(exactly: 4)
        let isOffer = try reader.bool()
        let floors = try reader.rawItem()
        #expect(isOffer)
        #expect(
            offer.id(in: group).array
                == Hash.blake2b(.baseName, group.array, floors, count: 16))
    }

    @Test func `what the vectors refuse is refused`() throws {
        guard case .object(let members) = try BaseVectors.make() else {
            throw Scribe.Missing()
        }
        guard case .array(let refused)? = members.first(where: { $0.0 == "refused" })?.1 else {
            throw Scribe.Missing()
        }
        #expect(refused.count == 3)
        for case .object(let one) in refused {
            guard case .text(let hex)? = one.first(where: { $0.0 == "base" })?.1,
                let bytes = Hex.decode(hex)
            else { throw Scribe.Missing() }
            #expect(throws: WireError.self) { try BaseOffer.decode(bytes) }
        }
    }
}
