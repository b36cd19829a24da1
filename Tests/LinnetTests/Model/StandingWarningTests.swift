import LinnetSystem
import Testing

@testable import Linnet

enum StandingWarningExample {
    static let device = Device(id: String(repeating: "ab", count: 32), name: "Watch")
    static let kept = StandingWarning(
        .authorForked(device), count: 3, wallMilliseconds: 5, isKept: true)
}

struct StandingWarningTests {
    private static let watch = StandingWarningExample.device

    /// One of each kind.
    private static let all: [NodeWarning] = [
        .clockSkew(watch, milliseconds: -130_000), .announcedClockSkew(instance: "i", hours: 3),
        .authorForked(watch), .basesDiffer(watch), .historyPassedOver(watch),
        .authorRenewed(watch), .copyInUse, .upgradeNeeded,
        .quarantined(batch: "0123"),
        .idCollision(collection: "log", id: "a"), .damaged(batch: "4567"),
        .damagedOwn(batch: "89ab"), .newAuthor(reason: "the witness file is missing"), .badEpoch,
        .flooded(watch), .recordRebuilt(collection: "note", id: "a"),
        .recordIncomplete(collection: "note", id: "a"), .showsOtherwise(watch, checked: true),
        .reachedItself(address: "127.0.0.1:1"), .schemaContradiction("note.count (2)"),
        .notWriting(reason: "the disk is full"),
        .integrity(IntegrityFacts(userID: 0).findings.filter { $0.state == .found }),
        .admissionFrozen(by: watch),
        .keysNotUsed(by: watch, .leavesOut(watch)), .scopesNotUnderstood(by: watch),
        .restated(batches: 2, changes: 5, silent: 1),
        .recordSetAside(collection: "note", id: "a"),
        .overruled(watch, by: watch, isRole: false), .attachmentsDoNotFit,
        .sendsMuch(watch, records: 1, batches: 9_000, bytes: 12_300_000, isHeldBack: true),
    ]

    @Test func `keys that are not used have a reason each`() {
        let faults: [KeysFault] = [
            .leavesOut(Self.watch), .sealedToStranger, .calledBad(by: Self.watch),
        ]
        let sentences = faults.map { NodeWarning.keysNotUsed(by: Self.watch, $0).description }
        #expect(Set(sentences).count == faults.count)
        #expect(sentences.allSatisfy { $0.contains("Watch") })
    }

    @Test func `every kind has a sentence, and devices stand in logs by identifier`() {
        #expect(Set(Self.all.map(\.kind)).count == NodeWarning.Kind.allCases.count)
        for warning in Self.all {
            #expect(!warning.description.isEmpty)
            let logged = warning.sentence { "device \($0.id.prefix(8))" }
            #expect(!logged.contains("Watch"), "\(warning.kind)")
            #expect(warning.device == nil || logged.contains("device abababab"))
        }
    }

    @Test func `a warning shows once, with a count, and goes with its cause`() {
        var board = WarningBoard()
        let first = board.update(with: [StandingWarning(.quarantined(batch: "one"))])
        #expect(first.began == [.quarantined(batch: "one")] && first.ended.isEmpty)
        let more = board.update(with: [StandingWarning(.quarantined(batch: "two"), count: 40)])
        #expect(more == WarningBoard.Change())
        #expect(board.standing.map(\.count) == [40])
        #expect(board.standing.first?.description.hasSuffix("(40 times)") == true)
        let gone = board.update(with: [])
        #expect(gone.ended == [.quarantined(batch: "two")] && board.standing.isEmpty)
    }

    @Test func `two devices have warnings of their own`() {
        var board = WarningBoard()
        let other = Device(id: "cd", name: "Phone")
        let change = board.update(with: [
            StandingWarning(.clockSkew(Self.watch, milliseconds: 200_000)),
            StandingWarning(.clockSkew(other, milliseconds: 300_000)),
        ])
        #expect(change.began.count == 2 && board.standing.count == 2)
        let next = board.update(with: [
            StandingWarning(.clockSkew(other, milliseconds: 310_000))
        ])
        #expect(next.ended == [.clockSkew(Self.watch, milliseconds: 200_000)])
        #expect(next.began.isEmpty)
    }

    @Test func `what the node met itself is counted until it takes it back`() {
        var board = WarningBoard()
        for hours in [2, 3] as [Int64] {
            board.raise(.announcedClockSkew(instance: "i", hours: hours), at: 5)
        }
        #expect(board.update(with: []).began == [.announcedClockSkew(instance: "i", hours: 3)])
        #expect(board.standing.map(\.count) == [2])
        board.end { $0.kind == .announcedClockSkew }
        #expect(board.update(with: []).ended.count == 1)
    }
}
