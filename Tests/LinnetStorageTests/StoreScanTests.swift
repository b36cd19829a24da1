import Foundation
import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

/// The facts that a store's file tells somebody without its keys.
struct StoreScanTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func fill() throws {
        let store = try home.open()
        try store.begin()
        for name in ["a", "b", "c"] { try store.putRecord(try .sample(name, collection: 1000)) }
        try store.commit()
        try store.close()
    }

    private func rows(_ scan: StoreScan, _ table: String) -> Int64? {
        scan.counts.first { $0.table == table }?.rows
    }

    @Test func `a whole file is found whole and counted, and stays as it is`() throws {
        try fill()
        let before = try Data(contentsOf: URL(filePath: home.path))
        let scan = try StoreScan(path: home.path, checksStructure: true)
        #expect(scan.faults == [] && rows(scan, "records") == 3 && rows(scan, "batches") == 0)
        #expect(try StoreScan(path: home.path, checksStructure: false).faults == nil)
        #expect(try Data(contentsOf: URL(filePath: home.path)) == before)
    }

    @Test func `a page that was lost is found, or keeps the file from being read`() throws {
        try fill()
        var bytes = try Data(contentsOf: URL(filePath: home.path))
        bytes.replaceSubrange(8_192..<12_288, with: [UInt8](repeating: 0xff, count: 4_096))
        try bytes.write(to: URL(filePath: home.path))
        let scan = try? StoreScan(path: home.path, checksStructure: true)
        #expect(scan?.faults?.isEmpty != true)
    }

    @Test func `an empty file is refused, and one of another program as such`() throws {
        try Data().write(to: URL(filePath: home.path))
        #expect(throws: StorageError.self) {
            try StoreScan(path: home.path, checksStructure: true)
        }
        try home.tamper("CREATE TABLE other (a)")
        #expect(throws: StorageError.notOurs) {
            try StoreScan(path: home.path, checksStructure: true)
        }
    }
}
