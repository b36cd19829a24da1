import LinnetCRDT
import LinnetCrypto
import LinnetWire

@testable import LinnetReplication

/// The bodies of the messages of an open session.
func fuzz(_ input: [UInt8]) {
    if let body = try? HelloMessage.decode(input) {
        require((try? HelloMessage.decode(body.encode())) == body, "a hello reads back")
    }
    if let body = try? HaveMessage.decode(input) {
        require((try? HaveMessage.decode(body.encode())) == body, "a have reads back")
    }
    if let body = try? AckMessage.decode(input) {
        require((try? AckMessage.decode(body.encode())) == body, "an ack reads back")
    }
    if let body = try? NeedMessage.decode(input) {
        require((try? NeedMessage.decode(body.encode())) == body, "a need reads back")
    }
    if let body = try? BatchMessage.decode(input) {
        require((try? BatchMessage.decode(body.encode())) == body, "a batch reads back")
    }
    if let body = try? ForkMessage.decode(input) {
        require((try? ForkMessage.decode(body.encode())) == body, "a fork reads back")
    }
    if let body = try? BaseOffer.decode(input) {
        require((try? BaseOffer.decode(body.encode())) == body, "a base reads back")
    }
    if let body = try? BaseGetMessage.decode(input) {
        require((try? BaseGetMessage.decode(body.encode())) == body, "a baseGet reads back")
    }
    if let body = try? BasePartMessage.decode(input) {
        require((try? BasePartMessage.decode(body.encode())) == body, "a basePart reads back")
    }
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
