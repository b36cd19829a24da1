import LinnetWire
import Testing

@testable import LinnetCompanion

@Suite struct CompanionLedgerTests {
    private func moment(hours: Int64) -> Moment {
        Moment(wallMilliseconds: hours * 3_600_000, uptimeMilliseconds: 0)
    }

    @Test func `what was spent counts for a day at least and 25 hours at most`() {
        var ledger = CompanionLedger()
        ledger.spend(at: moment(hours: 100)) { $0.wakes[0] = 3 }
        #expect(ledger.wakes(at: moment(hours: 124)) == 3)
        #expect(ledger.wakes(at: moment(hours: 125)) == 0)
    }

    @Test func `a clock that goes back by days neither frees nor locks a budget for long`() {
        var ledger = CompanionLedger()
        ledger.spend(at: moment(hours: 10_000)) { $0.wakes[0] = 3 }
        ledger.spend(at: moment(hours: 100)) { $0.wakes[0] += 1 }
        #expect(ledger.wakes(at: moment(hours: 100)) == 4)
        #expect(ledger.wakes(at: moment(hours: 125)) == 0)
    }

    @Test func `each importance has its share of a budget`() {
        let budget = DeviceBudget(wakes: 96, bytes: 1_000)
        #expect(Importance.allCases.map { budget.wakes(for: $0) } == [96, 86, 72, 48])
        #expect(DeviceBudget.unlimited.bytes(for: .safety) == .max)
    }

    @Test func `a ledger survives its bytes`() throws {
        var ledger = CompanionLedger()
        ledger.spend(at: moment(hours: 100)) { $0.bytes[2] = 1 << 40 }
        ledger.spend(at: moment(hours: 101)) { $0.faceWakes = 7 }
        var writer = CBORWriter()
        ledger.write(to: &writer)
        var reader = CBORReader(writer.bytes)
        #expect(try CompanionLedger.read(from: &reader).hours == ledger.hours)
    }

    @Test func `the face's budget forgives a clock that went back`() {
        var budget = ComplicationBudget()
        for _ in 0..<50 { budget.spend(at: moment(hours: 10_000)) }
        #expect(budget.remaining(at: moment(hours: 10_023)) == 0)
        #expect(budget.remaining(at: moment(hours: 10_024)) == 50)
        #expect(budget.remaining(at: moment(hours: 100)) == 0)
    }

    @Test func `every key of a row is read as it was written, and nothing else is`() {
        let peer = DeviceID(repeating: 5)
        let keys: [JournalKey] = [
            .identity, .facts, .counterpart(peer), .ledger(peer), .spends(peer),
            .contextOut(peer), .contextIn(peer), .outgoing(peer, 1), .payload(peer, .max),
            .inbox(peer, 0), .memory(peer, .file), .partialFile(peer),
        ]
        for key in keys {
            #expect(JournalKey(key.bytes) == key)
            #expect(JournalKey(key.bytes + [0]) == nil)
            #expect(JournalKey(Array(key.bytes.dropLast())) == nil)
        }
        #expect(JournalKey([0]) == nil)
        #expect(JournalKey([13] + peer.array) == nil)
    }
}
