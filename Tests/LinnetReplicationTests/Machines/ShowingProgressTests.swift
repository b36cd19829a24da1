import Testing

@testable import LinnetReplication

@Suite struct ShowingProgressTests {
    /// The numbers told of a commit, done and total, when its steps are taken in turn.
    private func told(
        _ batches: Int, areOpened: Bool = false, _ steps: (inout ShowingProgress) -> Void
    ) -> [(done: Int, total: Int, batches: Int)] {
        var words: [(done: Int, total: Int, batches: Int)] = []
        var progress = ShowingProgress(batches: batches, areOpened: areOpened) {
            words.append(($0, $1, $2))
        }
        steps(&progress)
        return words
    }

    @Test func `opening and merging count up to less than the whole`() {
        let words = told(2) { progress in
            for _ in 0..<2 { progress.opened() }
            for _ in 0..<2 { progress.merged() }
        }
        #expect(words.count == 4 && words.allSatisfy { $0.batches == 2 })
        #expect(words[0].done == 0)
        for (before, after) in zip(words, words.dropFirst()) {
            #expect(before.done < after.done && after.done < after.total)
            #expect(before.total == after.total)
        }
    }

    @Test func `what was opened before is done`() {
        let merged = told(3) { progress in
            for _ in 0..<3 { progress.opened() }
            progress.merged()
        }
        let opened = told(3, areOpened: true) { $0.merged() }
        #expect(opened.first?.done == merged.last?.done && opened.first?.done ?? 0 > 0)
    }
}
