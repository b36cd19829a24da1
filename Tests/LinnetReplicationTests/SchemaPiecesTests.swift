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

    private func payload(_ piece: SchemaPiece) throws -> [UInt8] {
        guard case .insert(let fields) = piece.change else { return [] }
        return LogCell.encode(
            try fields.map { LogCell(field: $0.field, payload: try $0.values[0].encoded()) })
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
            let records = SchemaPieces(of: text) {
                BatchName.schema($0, firstDataKey: key)
            }.records
            #expect(records.first?.id.description == vector.name + "/0001")
            #expect(records.map(\.id.description) == vector.records.map(\.record))
            for (record, piece) in zip(records, vector.records) {
                guard case .insert(let fields) = record.piece.change else {
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
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let other = SecretBytes(copying: [UInt8](repeating: 8, count: 32))
        let text = [UInt8](repeating: 0x61, count: 2 * Limits.schemaPieceBytes + 5)
        let records = try SchemaPieces(of: text) { BatchName.schema($0, firstDataKey: key) }.records
            .map { (id: $0.id, contents: [try payload($0.piece)]) }
        func gathered(
            _ records: [(id: RecordID, contents: [[UInt8]])], _ key: borrowing SecretBytes
        ) -> [[UInt8]] {
            var gathering = SchemaGathering()
            for record in records {
                gathering.take(record.id, record.contents) {
                    BatchName.schema($0, firstDataKey: key)
                }
            }
            return gathering.texts
        }
        try #require(records.count == 3)
        #expect(gathered(records, key) == [text])
        #expect(gathered(records, other).isEmpty)
        #expect(gathered(Array(records.dropLast()), key).isEmpty)
        #expect(gathered(Array(records.dropFirst()), key).isEmpty)
        #expect(gathered(records.reversed(), key).isEmpty)
        #expect(gathered(records + records, key).count == 2)
        let foreign = (id: try #require(RecordID("x")), contents: [[UInt8]]([[0x61, 0x79]]))
        #expect(gathered([foreign] + records, key) == [text])
        // Beside false contents of every kind the true one is found, wherever it stands.
        let last = SchemaPiece(bytes: [0x62], rest: nil)
        let lie = SchemaPiece(
            bytes: [UInt8](repeating: 0x62, count: Limits.schemaPieceBytes), rest: .zero)
        let lies = [try payload(last), try payload(lie), [0x80], [0xff]]
        let hidden = records.map { (id: $0.id, contents: lies + $0.contents + lies) }
        #expect(gathered(hidden, key) == [text])
        let replaced = records.map { (id: $0.id, contents: lies) }
        #expect(gathered(replaced, key).isEmpty)
    }

    @Test func `texts are read up to their number, and up to their bytes`() throws {
        let name = Bytes16(repeating: 7)
        func records(_ text: [UInt8]) throws -> [(id: RecordID, contents: [[UInt8]])] {
            try SchemaPieces(of: text) { _ in name }.records.map {
                (id: $0.id, contents: [try payload($0.piece)])
            }
        }
        let largest = Limits.schemaPieces * Limits.schemaPieceBytes
        for (bytes, most) in [
            (1, Limits.schemas), (largest, (Limits.schemaTotalBytes + largest - 1) / largest),
        ] {
            var gathering = SchemaGathering()
            let pieces = try records([UInt8](repeating: 0x61, count: bytes))
            for count in 0..<most {
                #expect(!gathering.isFull && gathering.texts.count == count)
                for piece in pieces { gathering.take(piece.id, piece.contents) { _ in name } }
            }
            #expect(gathering.isFull && gathering.texts.count == most)
        }
    }
}
