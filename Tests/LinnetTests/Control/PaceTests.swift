import Testing

@testable import Linnet

/// The pace of a long answer to a command in the same process.
@Suite(.timeLimit(.minutes(5))) struct PaceTests {
    @Test func `nobody waits when all was heard`() async {
        let pace = Pace()
        await pace.heardAll()
        pace.say()
        pace.hear()
        await pace.heardAll()
    }

    @Test func `what was said is waited for until it was heard`() async {
        let pace = Pace()
        for _ in 0..<3 { pace.say() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pace.heardAll() }
            group.addTask { for _ in 0..<3 { pace.hear() } }
        }
    }

    @Test func `nobody waits for a listener who left`() async {
        let pace = Pace()
        pace.say()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pace.heardAll() }
            group.addTask { pace.leave() }
        }
        await pace.heardAll()
    }
}
