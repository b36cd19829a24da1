import Testing

@testable import LinnetReplication

@Suite struct CommitProgressTests {
    @Test func `a small commit tells nothing of itself`() {
        var words = 0
        let progress = CommitProgress(requests: CommitProgress.pace) { _, _ in words += 1 }
        progress.added(10)
        progress.sealed(1, of: 1, rowsLeft: 0)
        #expect(words == 0)
    }

    @Test func `a large one goes up and is not whole before it is durable`() {
        let requests = 2 * CommitProgress.pace
        var words: [(done: Int, total: Int)] = []
        let progress = CommitProgress(requests: requests) { words.append(($0, $1)) }
        progress.added(CommitProgress.pace)
        progress.added(requests)
        progress.sealed(1, of: 2, rowsLeft: requests)
        progress.sealed(2, of: 2, rowsLeft: 0)
        #expect(words.allSatisfy { $0.total == requests * CommitProgress.parts })
        for (before, after) in zip(words, words.dropFirst()) { #expect(before.done < after.done) }
        #expect(words.last.map { $0.done < $0.total } == true)
    }
}
