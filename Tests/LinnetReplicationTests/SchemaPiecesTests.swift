import Foundation
import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// The bytes of docs/vectors/group-schema.json.
@Suite struct SchemaPiecesTests {
    private struct Vectors: Decodable {
        struct Text: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let whole = try? container.decode(String.self) {
                    text = whole
                } else {
                    let repeated = try container.decode(Repeated.self)
                    text = String(repeating: repeated.repeat, count: repeated.count)
                }
            }
        }
        struct Repeated: Decodable {
            let `repeat`: String
            let count: Int
        }
        struct Piece: Decodable {
            let record: String
            let payloadLength: Int
            let payloadBLAKE2b256: String
            let payloadBegins: String
        }
        struct Case: Decodable {
            let text: Text
            let name: String
            let records: [Piece]
            let pairSchemaLength: Int
            let pairSchemaBLAKE2b256: String
        }
        let firstDataKey: String
        let pieces: [Case]
    }

    private static func vectors() throws -> Vectors {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/vectors/group-schema.json")
        return try JSONDecoder().decode(Vectors.self, from: try Data(contentsOf: path))
    }

    private func hash(_ bytes: [UInt8]) -> String {
        Hex.encode(Hash.blake2b(nil, bytes, count: 32))
    }

    @Test func `names, records and messages are those of the vectors`() throws {
        let vectors = try Self.vectors()
        let key = SecretBytes(copying: try #require(Hex.decode(vectors.firstDataKey)))
        try #require(vectors.pieces.count == 3)
        for vector in vectors.pieces {
            let text = Array(vector.text.text.utf8)
            let name = BatchName.schema(text, firstDataKey: key)
            #expect(name.description == vector.name)
            let writes = SchemaPieces(of: text, named: name).writes
            #expect(writes.map(\.key.record.description) == vector.records.map(\.record))
            for (write, piece) in zip(writes, vector.records) {
                guard case .insert(let fields)? = write.changes.first else {
                    Issue.record("a piece is a record of a log")
                    continue
                }
                let payload = LogCell.encode(
                    try fields.map { LogCell(field: $0.field, payload: try $0.values[0].encoded()) }
                )
                #expect(payload.count == piece.payloadLength)
                #expect(Hex.encode(Array(payload.prefix(24))) == piece.payloadBegins)
                #expect(hash(payload) == piece.payloadBLAKE2b256)
            }
            let message = try #require(PairSchema(text: text)).encode()
            #expect(message.count == vector.pairSchemaLength)
            #expect(hash(message) == vector.pairSchemaBLAKE2b256)
        }
    }

    @Test func `pieces come together in their order, and what is amiss counts for nothing`() throws
    {
        let name = try #require(Bytes16([UInt8](repeating: 7, count: 16)))
        let other = try #require(Bytes16([UInt8](repeating: 8, count: 16)))
        let text = [UInt8](repeating: 0x61, count: Limits.schemaPieceBytes + 5)
        let views = SchemaPieces(of: text, named: name).writes.map { write -> RecordView in
            guard case .insert(let fields)? = write.changes.first else { preconditionFailure() }
            return RecordView(
                collection: 2, id: write.key.record,
                fields: fields.map { ($0.field, $0.values) })
        }
        func gathered(_ views: [RecordView], as name: Bytes16) -> [[UInt8]] {
            var gathering = SchemaGathering()
            for view in views { gathering.take(view) { _ in name } }
            return gathering.texts
        }
        #expect(gathered(views, as: name) == [text])
        #expect(gathered(views, as: other).isEmpty)
        #expect(gathered([views[0]], as: name).isEmpty)
        #expect(gathered([views[1]], as: name).isEmpty)
        #expect(gathered([views[1], views[0]], as: name).isEmpty)
        #expect(gathered(views + views, as: name).count == 2)
        let foreign = RecordView(
            collection: 2, id: try #require(RecordID("x")), fields: [(1, [.text("y")])])
        #expect(gathered([foreign] + views, as: name) == [text])
    }

    @Test func `texts are read up to their number, and up to their bytes`() throws {
        let name = Bytes16(repeating: 7)
        func views(_ text: [UInt8]) -> [RecordView] {
            SchemaPieces(of: text, named: name).writes.map { write in
                guard case .insert(let fields)? = write.changes.first else { preconditionFailure() }
                return RecordView(
                    collection: 2, id: write.key.record,
                    fields: fields.map { ($0.field, $0.values) })
            }
        }
        let largest = Limits.schemaPieces * Limits.schemaPieceBytes
        for (bytes, most) in [
            (1, Limits.schemas), (largest, (Limits.schemaTotalBytes + largest - 1) / largest),
        ] {
            var gathering = SchemaGathering()
            let pieces = views([UInt8](repeating: 0x61, count: bytes))
            for count in 0..<most {
                #expect(!gathering.isFull && gathering.texts.count == count)
                for piece in pieces { gathering.take(piece) { _ in name } }
            }
            #expect(gathering.isFull && gathering.texts.count == most)
        }
    }
}
