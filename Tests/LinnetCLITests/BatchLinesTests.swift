import Testing

@testable import LinnetCLI

struct BatchLinesTests {
    private typealias Stretch = BatchLines.Stretch

    @Test func `a batch alone has a line of its own`() {
        var stretch = Stretch(("receiving", "received"))
        #expect(stretch.take("batch 5 of a", 2, at: 10) == nil)
        #expect(stretch.end(at: 500, atOnce: false) == nil)
        #expect(stretch.end(at: 1_010, atOnce: false) == "batch 5 of a")
        #expect(stretch.end(at: 5_000, atOnce: false) == nil)
    }

    @Test func `a long catch-up takes few lines`() {
        var stretch = Stretch(("receiving", "received"))
        var lines: [String] = []
        // A minute and a half, ten batches a second.
        for number in 0..<900 {
            let now = Int64(number) * 100
            if let line = stretch.take("batch \(number)", 3, at: now) { lines.append(line) }
            if let line = stretch.end(at: now + 50, atOnce: false) { lines.append(line) }
        }
        if let line = stretch.end(at: 91_000, atOnce: false) { lines.append(line) }
        #expect(lines.count == 4)
        #expect(lines.first == "receiving batches: 11 so far, 33 operations")
        #expect(lines.last == "received 900 batches, 2700 operations, in 89.9 s")
    }

    @Test func `what follows from the batches comes after them`() {
        var stretch = Stretch(("writing", "wrote"))
        for number in 0..<3 { _ = stretch.take("batch \(number)", 1, at: 0) }
        #expect(stretch.end(at: 1, atOnce: true) == "wrote 3 batches, 3 operations, in 0.0 s")
        #expect(!stretch.isOpen)
    }
}
