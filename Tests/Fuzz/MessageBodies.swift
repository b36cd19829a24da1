import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetReplication

/// The bodies of the messages of an open session.
func fuzz(_ input: [UInt8]) {
    readBack(input, "a hello", HelloMessage.decode) { $0.encode() }
    readBack(input, "a have", HaveMessage.decode) { $0.encode() }
    readBack(input, "an ack", AckMessage.decode) { $0.encode() }
    readBack(input, "a need", NeedMessage.decode) { $0.encode() }
    readBack(input, "a batch", BatchMessage.decode) { $0.encode() }
    readBack(input, "a fork", ForkMessage.decode) { $0.encode() }
    readBack(input, "a base", BaseOffer.decode) { $0.encode() }
    readBack(input, "a baseGet", BaseGetMessage.decode) { $0.encode() }
    readBack(input, "a basePart", BasePartMessage.decode) { $0.encode() }
    fuzzMembership(input)
    for bytes in [input, withSignature(input)] { fuzzCertificate(bytes) }
    _ = PeerKnowledge(decoding: input)
    if let subscription = try? Subscription(decoding: input) {
        require(
            (try? Subscription(decoding: subscription.encoded)) == subscription,
            "a subscription reads back")
    }
    fuzzCursor(input)
}

/// Bytes that are a message are so again once it is written; all others are refused.
private func readBack<Body: Equatable>(
    _ input: [UInt8], _ name: String, _ decode: ([UInt8]) throws(WireError) -> Body,
    _ encode: (Body) -> [UInt8]
) {
    let body: Body
    do {
        body = try decode(input)
    } catch {
        return
    }
    do {
        require(try decode(encode(body)) == body, "\(name) reads back")
    } catch {
        require(false, "\(name) reads back: \(error)")
    }
}

/// What two devices sign for each other, and keep as files.
private func fuzzCertificate(_ bytes: [UInt8]) {
    if let statement = HoldingStatement(decoding: bytes) {
        require(statement.encoded == bytes, "a statement is kept as it came")
        let message = CertificateMessage(wantsAnswer: true, statement: statement)
        require(
            (try? CertificateMessage.decode(message.encode())) == message,
            "a certificate reads back")
    }
    _ = try? CertificateMessage.decode(bytes)
}

private let key = SigningKey(seed: SecretBytes(zeroed: 32))

/// A statement that this device signs, whatever stands in it.
private func withSignature(_ inner: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(2)
    writer.raw(inner)
    writer.bytes(key.sign(.convergence, inner))
    return writer.bytes
}

private func statement() -> [UInt8] {
    var writer = CBORWriter()
    writer.array(6)
    writer.unsigned(1)
    writer.bytes([UInt8](repeating: 1, count: 32))
    writer.bytes(key.publicKey)
    writer.bytes([UInt8](repeating: 2, count: 32))
    writer.bytes([UInt8](repeating: 3, count: 32))
    writer.unsigned(7)
    return writer.bytes
}

/// Places in the order of a query, which applications may hand around.
private func fuzzCursor(_ input: [UInt8]) {
    let query = Query("item", sort: [SortKey("size"), SortKey("name", descending: true)])
    for text in [String(decoding: input, as: UTF8.self), TextAlphabet.base64URL.encode(input)] {
        guard let cursor = try? QueryCursor(text, of: query) else { continue }
        let again = try? QueryCursor(cursor.text(of: query), of: query)
        require(again?.keys == cursor.keys && again?.id == cursor.id, "a place reads back")
    }
}

private func fuzzMembership(_ input: [UInt8]) {
    if let body = try? MemberHeadsMessage.decode(input) {
        require((try? MemberHeadsMessage.decode(body.encode())) == body, "heads read back")
    }
    if let body = try? MemberGetMessage.decode(input) {
        require((try? MemberGetMessage.decode(body.encode())) == body, "a get reads back")
    }
    if let body = try? MemberRecordsMessage.decode(input) {
        require((try? MemberRecordsMessage.decode(body.encode())) == body, "records read back")
    }
}

func seeds() -> [[UInt8]] {
    let id = Bytes32(repeating: 9)
    let head = ListedHead(chain: .zero, seq: 9, prefix: .zero)
    let listing = VectorListing(scopes: [ListedScope(scope: .zero, heads: [head])])
    let signature = [UInt8](repeating: 6, count: 64)
    let signed = SignedHeader(
        header: [1], ciphertextHash: [UInt8](repeating: 8, count: 32), signature: signature)
    return [
        HelloMessage(
            incarnation: .zero, wallMilliseconds: 1, schemaVersion: 1, creditLimit: 1
        ).encode(),
        HaveMessage(listing: listing).encode(),
        HaveMessage(form: .digested(id.array), listing: listing).encode(),
        HaveMessage(
            form: .relative(
                changed: [NumberedHead(number: 1, seq: 2, prefix: id.prefix8)], lacking: [0, 3]),
            listing: listing
        ).encode(),
        AckMessage(numbered: [NumberedHead(number: 1, seq: 2, prefix: id.prefix8)]).encode(),
        AckMessage(
            numbered: [NumberedHead(number: 1, seq: 2, prefix: id.prefix8)], listing: listing,
            creditLimit: 12
        ).encode(),
        NeedMessage(ranges: [NeededRange(scope: .zero, chain: .zero, first: 1, last: 2)]).encode(),
        BatchMessage(form: .full(header: [1, 2]), ciphertext: [1], signature: signature).encode(),
        ForkMessage(first: signed, second: signed).encode(),
        MemberHeadsMessage(heads: [id]).encode(),
        MemberGetMessage(group: id, wanted: [id], held: [id]).encode(),
        MemberRecordsMessage(group: id, records: [[0x80]]).encode(),
        statement(), withSignature(statement()), Subscription.only(["notes"]).encoded,
    ]
}
