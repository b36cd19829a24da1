import Foundation
import Linnet
import Testing

/// The rules of docs/vectors/group-schema.json.
struct SchemaMergeVectorTests {
    private struct Vectors: Decodable {
        struct Case: Decodable {
            let rule: String
            let texts: [String]
            let merged: String
        }
        let merging: [Case]
    }

    @Test func `schemas come to what the vectors say`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/vectors/group-schema.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: try Data(contentsOf: path))
        try #require(vectors.merging.count >= 7)
        for vector in vectors.merging {
            let files = try vector.texts.map { try SchemaFile(reading: Array($0.utf8)) }
            #expect(SchemaMerge(files).file?.text == vector.merged, "\(vector.rule)")
            #expect(SchemaMerge(files.reversed()).file?.text == vector.merged, "\(vector.rule)")
        }
    }
}
