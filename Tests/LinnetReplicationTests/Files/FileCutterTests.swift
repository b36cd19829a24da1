import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileCutterTests {
    private func cut(_ content: [UInt8], pieces: Int) -> [[UInt8]] {
        var cutter = FileCutter(GearTable(fileKey: FileBench.key))
        var chunks: [[UInt8]] = []
        var start = 0
        while start < content.count {
            let end = min(content.count, start + pieces)
            cutter.push(Array(content[start..<end]))
            start = end
            while let chunk = cutter.next() { chunks.append(chunk) }
        }
        while let chunk = cutter.rest() { chunks.append(chunk) }
        return chunks
    }

    @Test(arguments: [1 << 20, 70_001, 3_000_000])
    func `where chunks end does not depend on how the content came`(_ pieces: Int) {
        let content = FileBench.content(5_000_000)
        let chunks = cut(content, pieces: pieces)
        #expect(Array(chunks.joined()) == content)
        #expect(chunks == cut(content, pieces: 1 << 18))
    }

    @Test func `what is inserted in the middle changes the chunks around it alone`() {
        let content = FileBench.content(12 << 20)
        let middle = content.count / 2
        let longer = content[..<middle] + FileBench.content(1_000, seed: 9) + content[middle...]
        let before = Set(cut(content, pieces: 1 << 20))
        let after = cut(Array(longer), pieces: 1 << 20)
        #expect(after.filter { !before.contains($0) }.count <= 4)
    }

    @Test func `no content has no chunk`() {
        #expect(cut([], pieces: 1).isEmpty)
    }
}
