import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication
@testable import LinnetSimulator

/// Checkers alone, over what a test says is known, without a fleet.
struct CheckersTests {
    private static let nothing = Totals(count: 0, bytes: 0)
    private static let attributes = BatchAttributes(
        commit: .zero, schemaVersion: 1, baseStamp: .zero)

    private static func known() -> Knowledge {
        let known = Knowledge([])
        known.views = [DeviceView(version: 0), DeviceView(version: 0)]
        return known
    }

    /// What a checker says of sights, the last of which it may complain of.
    private static func complaint(_ checker: any Checker, _ sights: Sight...) throws -> Invariant? {
        for sight in sights.dropLast() { try checker.observe(sight) }
        guard let last = sights.last else { return nil }
        do throws(Violation) {
            try checker.observe(last)
            return nil
        } catch {
            return error.invariant
        }
    }

    @Test func `every invariant of fleets has a checker whose name has no number`() {
        let elsewhere: Set<Invariant> = [
            .noTraps, .lanePromises, .budgets, .facesStayTrue, .widgetBudgets, .memberStopsNobody,
            .nothingIsLost, .costsAreBounded, .sameMembers, .outMeansOut, .whatCountsShows,
            .epochsAreClean, .acceptedInTime,
        ]
        let checked = Set(CheckerRegistry.names.map(\.invariant))
        #expect(checked == Set(Invariant.allCases).subtracting(elsewhere))
        let names = CheckerRegistry.names.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.contains(where: \.isNumber) })
    }

    @Test func `the registry shows a sight to whoever wants it`() throws {
        let registry = CheckerRegistry(Self.known())
        try registry.show(.exposed(device: 0, Array("harmless".utf8), where: "is here"))
        let error = #expect(throws: Violation.self) {
            try registry.show(
                .exposed(device: 0, Array("a \(Canary.text)".utf8), where: "is here"))
        }
        #expect(error == Violation(.noPlaintext, "plaintext is here", devices: [0]))
    }

    @Test func `a clock may neither go back nor be pulled far ahead`() throws {
        func sight(_ milliseconds: Int64) -> Sight {
            .answered(
                .init(
                    device: 1, events: [], clock: Timestamp(wallMilliseconds: milliseconds)))
        }
        let known = Self.known()
        known.wallMilliseconds = 5_000
        #expect(try Self.complaint(ClocksNeverRefuse(known), sight(4_000), sight(5_000)) == nil)
        #expect(
            try Self.complaint(ClocksNeverRefuse(known), sight(4_000), sight(3_999))
                == .clocksNeverRefuse)
        let far = 5_000 + Limits.clockClampMilliseconds + 1_000
        #expect(
            try Self.complaint(ClocksNeverRefuse(known), sight(4_000), sight(far))
                == .clocksNeverRefuse)
    }

    @Test func `a clock may not go back at a start, unless its home did`() throws {
        func sights(_ before: DeviceView) -> [Sight] {
            let late = Timestamp(wallMilliseconds: 4_000)
            return [
                .answered(.init(device: 0, events: [], clock: late)),
                .renewed(
                    device: 0, before: before, clock: Timestamp(wallMilliseconds: 3_000)),
            ]
        }
        let view = DeviceView(version: 0)
        let both = sights(view)
        #expect(
            try Self.complaint(ClocksNeverRefuse(Self.known()), both[0], both[1])
                == .clocksNeverRefuse)
        view.past.mayHaveLost = true
        #expect(try Self.complaint(ClocksNeverRefuse(Self.known()), both[0], both[1]) == nil)
    }

    @Test func `as many batches are announced as show, but for a replica that was just opened`() {
        let known = Self.known()
        let sight = Sight.announced(device: 0, applied: [1], events: [])
        #expect(throws: Never.self) { try ExactlyOnce(known).observe(sight) }
        known.views[0].past.isFresh = false
        #expect(throws: Violation.self) { try ExactlyOnce(known).observe(sight) }
        #expect(throws: Violation.self) {
            try ExactlyOnce(known).observe(.appliedAgain(device: 0, 0))
        }
    }

    @Test func `equal vectors have equal digests`() throws {
        func sight(_ device: Int, _ byte: UInt8) throws -> Sight {
            let digest = try #require(Bytes32([UInt8](repeating: byte, count: 32)))
            return .whole(
                .init(device: device, pending: Self.nothing, digest: digest, vector: []))
        }
        let known = Self.known()
        #expect(try Self.complaint(EqualStates(known), sight(0, 1), sight(1, 1)) == nil)
        #expect(
            try Self.complaint(EqualStates(known), sight(0, 1), sight(1, 2))
                == .equalVectorsEqualStates)
        known.views[1].version = 1
        #expect(try Self.complaint(EqualStates(known), sight(0, 1), sight(1, 2)) == nil)
    }

    @Test func `a home becomes another author exactly when it is in doubt`() throws {
        let known = Self.known()
        let other = try #require(Incarnation([UInt8](repeating: 1, count: 8)))
        known.views[0].incarnation = .zero
        func sight(_ incarnation: Incarnation, isDoubted: Bool) -> Sight {
            .started(.init(device: 0, incarnation: incarnation, isDoubted: isDoubted))
        }
        let checker = Incarnations(known)
        #expect(try Self.complaint(checker, sight(.zero, isDoubted: false)) == nil)
        #expect(try Self.complaint(checker, sight(other, isDoubted: true)) == nil)
        #expect(try Self.complaint(checker, sight(.zero, isDoubted: true)) == .uniqueAuthors)
        #expect(try Self.complaint(checker, sight(other, isDoubted: false)) == .uniqueAuthors)
    }

    @Test func `a home that went back writes no more in a life of which others showed it more`()
        throws
    {
        let known = Self.known()
        let roots = (1...2).map { byte in
            ChainKey(scope: .zero, chain: AuthorID(repeating: UInt8(byte)))
        }
        for (number, root) in [roots[0], roots[0], roots[0], roots[1]].enumerated() {
            let body = BatchBody(attributes: Self.attributes, operations: [])
            _ = known.catalogue.learn(
                Fact(
                    id: BatchID(repeating: UInt8(number + 1)), prev: .zero, root: root,
                    seq: UInt64(number + 1), body: body, sealed: []))
        }
        let receipt = CommitReceipt(
            commit: .zero, batches: 1, operations: 0, durable: true, hidden: HiddenOperations())
        func wrote(_ fact: Int) -> Sight {
            .written(
                .init(
                    device: 0, writes: [], receipt: receipt, facts: fact..<fact + 1,
                    before: [:], rows: [], texts: [:]))
        }
        let gets = Sight.stored(
            .init(device: 0, number: 1, isFirst: false, isNew: true, isRecent: true))
        func complaint(_ sights: [Sight]) throws -> Invariant? {
            let checker = Incarnations(known)
            for sight in sights.dropLast() { try checker.observe(sight) }
            return try sights.last.flatMap { try Self.complaint(checker, $0) }
        }
        #expect(try complaint([wrote(0), gets, wrote(2)]) == nil)
        known.views[0].past.wentBack = true
        #expect(try complaint([wrote(0), wrote(2)]) == nil)
        #expect(try complaint([wrote(0), gets, wrote(3)]) == nil)
        let starts = Sight.started(.init(device: 0, incarnation: nil, isDoubted: false))
        known.views[0].past.mayHaveLost = true
        #expect(try complaint([wrote(0), gets, starts, wrote(2)]) == nil)
        known.views[0].past.mayHaveLost = false
        #expect(try complaint([wrote(0), gets, starts, wrote(2)]) == .uniqueAuthors)
        #expect(try complaint([wrote(0), gets, wrote(2)]) == .uniqueAuthors)
    }

    @Test func `a head is deleted by the device alone that left it, in any of its homes`() throws {
        let known = Self.known()
        let checker = HeadsOfOthersStay(known)
        func deletes(_ kind: MailKind, _ device: Int, _ owner: Int) -> Sight {
            .mailDeleted(device: device, MailName(kind, .zero), leftBy: owner)
        }
        #expect(try Self.complaint(checker, deletes(.head, 1, 0)) == .headsOfOthersStay)
        #expect(try Self.complaint(checker, deletes(.bridge, 1, 0)) == nil)
        #expect(try Self.complaint(checker, deletes(.head, 0, 0)) == nil)
        for index in 0...1 { known.noteDevice(index, DeviceID(repeating: 7)) }
        #expect(try Self.complaint(checker, deletes(.head, 1, 0)) == nil)
    }

    @Test func `a pack is deleted by a device that got a larger one, and one stays`() throws {
        func name(_ byte: UInt8) -> MailName { MailName(.pack, Bytes16(repeating: byte)) }
        func put(_ pack: UInt8, _ batches: [UInt8]) -> Sight {
            .mailPut(
                device: 0, name(pack), OrderedSet(batches.map { BatchID(repeating: $0) }))
        }
        func deletes(_ pack: UInt8, _ device: Int = 1) -> Sight {
            .mailDeleted(device: device, name(pack), leftBy: 0)
        }
        func got(_ pack: UInt8, _ device: Int = 1, isWhole: Bool = true) -> Sight {
            .mailGot(device: device, name(pack), isWhole: isWhole)
        }
        func broken(_ sights: [Sight]) throws -> Bool {
            let checker = PacksGiveWay(Self.known())
            for sight in sights.dropLast() { try checker.observe(sight) }
            let last = try #require(sights.last)
            return try Self.complaint(checker, last) == .packsGiveWay
        }
        let two = [put(1, [1]), put(2, [1, 2])]
        #expect(try broken(two + [deletes(1)]))
        #expect(try !broken(two + [got(2), deletes(1)]))
        #expect(try broken(two + [got(2, 0), deletes(1)]))
        #expect(try broken(two + [got(1), deletes(2)]))
        #expect(try !broken(two + [got(2, isWhole: false), deletes(2)]))
        #expect(try broken(two + [got(2, isWhole: false), got(2), deletes(2)]))
        // Two that hold the same, each of which would do without the other.
        let equal =
            [put(1, [1]), put(2, [1])]
            + (0...1).flatMap { device in [got(1, device), got(2, device)] }
        #expect(try !broken(equal + [deletes(1, 0)]))
        #expect(try broken(equal + [deletes(1, 0), deletes(2, 1)]))
    }

    @Test func `what waits is what is counted, and little enough`() throws {
        let checker = BoundedStorage(Self.known())
        func sight(_ bytes: Int) -> Sight {
            .stepped(
                .init(device: 0, events: [], pending: Totals(count: 1, bytes: bytes)))
        }
        #expect(try Self.complaint(checker, sight(1)) == nil)
        #expect(try Self.complaint(checker, sight(Limits.pendingBytes + 1)) == .boundedStorage)
        #expect(try Self.complaint(checker, .waiting(device: 0, [], counted: 0)) == nil)
        #expect(
            try Self.complaint(checker, .waiting(device: 0, [], counted: 1)) == .boundedStorage)
    }

    @Test func `a batch is stored with the one that it continues, whichever the chain of that`()
        throws
    {
        let known = Self.known()
        let root = ChainKey(scope: .zero, chain: .zero)
        let ids = [BatchID(repeating: 1), BatchID(repeating: 2)]
        for (index, id) in ids.enumerated() {
            _ = known.catalogue.learn(
                Fact(
                    id: id, prev: index == 0 ? .zero : ids[0], root: root, seq: UInt64(index + 1),
                    body: BatchBody(attributes: Self.attributes, operations: []), sealed: []))
        }
        func stored(_ number: Int, isRecent: Bool = true) -> Sight {
            known.views[0].held.insert(number)
            return .stored(
                .init(
                    device: 0, number: number, isFirst: false, isNew: true, isRecent: isRecent))
        }
        let step = Sight.stepped(.init(device: 0, events: [], pending: Self.nothing))
        let checker = ContiguousVectors(known)
        // At the first look at a store chains come in the order of their names.
        #expect(try Self.complaint(checker, stored(1, isRecent: false), step) == nil)
        #expect(try Self.complaint(checker, stored(1), step) == .contiguousVectors)
        // A call may store both, and is looked at when it is over.
        #expect(try Self.complaint(checker, stored(1), stored(0), step) == nil)
    }

    @Test func `a quiet session costs little`() throws {
        let meeting = Encounter(
            0, 1, weather: .calm, lasting: 1_000, now: 0, random: SeededRandom(seed: 1))
        meeting.opened = 1
        meeting.traffic.bytes = 4_000
        let checker = BoundedTraffic(Self.known())
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == nil)
        meeting.traffic.bytes = 40_000
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == .boundedTraffic)
        meeting.traffic.newBatches = 2
        meeting.traffic.newBytes = 30_000
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == nil)
        // Others brought the same while it was on its way.
        meeting.traffic.newBatches = 0
        meeting.traffic.newBytes = 0
        var end = EndTraffic()
        end.after = Totals(count: 2, bytes: 30_000)
        meeting.traffic.ends[0] = end
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == .boundedTraffic)
        meeting.traffic.ends[0]?.note(36_000, from: end.before, to: end.before)
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == nil)
        // A chain came twice, until both knew where it divides.
        meeting.traffic.ends[0] = EndTraffic()
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == .boundedTraffic)
        meeting.traffic.ends[0]?.forkedBytes = 36_000
        #expect(try Self.complaint(checker, .parted(meeting, isWhole: true)) == nil)
    }
}
