import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Records cut into pages, and the nodes above them.
enum PageVectors {
    /// Names that end nothing, that end a page, and that end a node of the first level as well.
    private static let names = [
        0, 1, 2, 3, 107, 180, 215_682, 236_890, 4, 5, 511, 253_180, 586, 6,
    ].map { "record-\($0)" }

    static func make() throws -> JSON {
        let ids = try names.map { try #require(RecordID($0)) }.sorted()
        let maker = try Self.pages(of: ids)
        return [
            "about": "docs/protocol.md, Digest: the pages and nodes of the tree digest.",
            "scope": .text(scope), "collection": .number(Int64(collection.id)),
            "records": .array(
                ids.map { id in
                    [
                        "id": .text(id.description),
                        "zeros": .number(Int64(DigestTree.rank(of: id))),
                        "record": .hex(record(id).canonicalBytes),
                    ]
                }),
            "pages": .array(
                maker.map { ["records": .number(Int64($0.records)), "hash": .hex($0.hash.array)] }),
            "root": .hex(DigestTree.root(of: maker).array),
            "digest": .hex(digest(of: DigestTree.root(of: maker)).array),
        ]
    }

    private static let collection = Collection(
        id: 1_000, name: "medication", scope: scope, fields: [])
    private static let scope = "meds"

    /// A live record of which no field holds something.
    private static func record(_ id: RecordID) -> RecordState {
        var state = RecordState(collection: collection.id, record: id)
        _ = state.apply(
            Operation(
                collection: collection.id, record: id, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: [0xf6]),
            stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
        return state
    }

    private static func pages(of ids: [RecordID]) throws -> [PageHash] {
        var maker = PageMaker(collection, after: [])
        var pages: [PageHash] = []
        for id in ids {
            _ = try maker.add(record(id), isChanged: false) { page in
                pages.append(page.made.hash)
                return true
            }
        }
        pages += maker.finish().map(\.made.hash)
        return pages.filter { $0.records > 0 }
    }

    static func digest(of root: Bytes32) -> Bytes32 {
        let part = DigestPart(scope: scope, collection: collection.id)
        return BatchName.wide(Hash.blake2b(.tree, part.head, root.array))
    }
}

/// What stands in the file is so by the words of the page alone.
@Suite struct PageReadingTests {
    @Test func `pages and nodes end where the hashes of names say`() throws {
        let file = try Facts(file: "pages")
        var (pages, open): ([(zeros: Int, hash: [UInt8])], [UInt8]) = ([], [])
        let records = try file["records"].items
        for (index, facts) in records.enumerated() {
            let id = Array(try facts["id"].text.utf8)
            let zeros = Hash.blake2b(nil, Array("linnet/page-end/1".utf8), id)
                .prefix { $0 == 0 }.count
            #expect(try UInt64(zeros) == facts["zeros"].number)
            open += try facts["record"].bytes
            guard zeros > 0 || index == records.count - 1 else { continue }
            pages.append((zeros, Hash.blake2b(nil, Array("linnet/page/1".utf8) + [0], open)))
            open = []
        }
        #expect(try pages.map(\.hash) == file["pages"].items.map { try $0["hash"].bytes })
        var level: UInt8 = 0
        while pages.count > 1 {
            level += 1
            var (nodes, inside): ([(zeros: Int, hash: [UInt8])], [UInt8]) = ([], [])
            for (index, page) in pages.enumerated() {
                inside += page.hash
                guard page.zeros > Int(level) || index == pages.count - 1 else { continue }
                nodes.append(
                    (page.zeros, Hash.blake2b(nil, Array("linnet/page/1".utf8) + [level], inside)))
                inside = []
            }
            pages = nodes
        }
        #expect(level == 2)
        #expect(try pages[0].hash == file["root"].bytes)
        let root = try file["root"].bytes32
        #expect(try PageVectors.digest(of: root) == file["digest"].bytes32)
    }
}
