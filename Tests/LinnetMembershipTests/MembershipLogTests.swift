import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct MembershipLogTests {
    @Test func `a log is rebuilt from its bytes`() throws {
        let (log, _) = try group(of: 4)
        #expect(try MembershipLog(records: log.records.map(\.encoded)) == log)
    }

    @Test func `a log begins with a genesis record and has no holes`() throws {
        let (log, _) = try group(of: 2)
        let bytes = log.records.map(\.encoded)
        #expect(throws: MembershipError.notAGenesis) { _ = try MembershipLog(records: []) }
        #expect(throws: MembershipError.notAGenesis) {
            _ = try MembershipLog(records: Array(bytes.dropFirst()))
        }
        #expect(throws: MembershipError.malformed(.truncated)) {
            _ = try MembershipLog(records: [bytes[0], bytes[2]])
        }
    }

    @Test func `a record counts once`() throws {
        let (log, _) = try group(of: 2)
        var again = log
        for record in log.records {
            #expect(try again.insert(record) == .duplicate)
        }
        #expect(again == log)
    }

    @Test func `a record of another group is refused`() throws {
        var (log, devices) = try group(of: 2)
        let other = try devices[0].found(seed: 8)
        #expect(other.group != log.group)
        for record in other.records {
            #expect(throws: MembershipError.wrongGroup) { _ = try log.insert(record) }
        }
    }

    @Test func `a record waits for its parents and then enters with them`() throws {
        let (full, devices) = try group(of: 3)
        var log = try devices[0].found()
        let (parent, child) = (full.records[2], full.records[3])
        #expect(try log.insert(child) == .parked(missing: [parent.id]))
        #expect(log.missingParents == [parent.id])
        #expect(!log.contains(child.id))
        #expect(try log.insert(parent) == .inserted([parent, child]))
        #expect(log.missingParents.isEmpty)
        #expect(log == full)
    }

    @Test func `a wrong record that waited is dropped when its parents come`() throws {
        let (full, devices) = try group(of: 2)
        var log = try devices[0].found()
        let wrong = try TestDevice(80).record(kind: 9, in: full)
        #expect(try log.insert(wrong) == .parked(missing: [full.records[2].id]))
        #expect(try log.insert(full.records[2]) == .inserted([full.records[2]]))
        #expect(log == full)
    }

    @Test func `few records wait, and they can be forgotten`() throws {
        let (log, devices) = try group(of: 1)
        var crowded = log
        for index in 0...MembershipLog.mostParked {
            var parent = [UInt8](repeating: 0xee, count: 30)
            BigEndian.append(UInt16(index), to: &parent)
            let unknown = try #require(Bytes32(parent))
            let record = try devices[0].record(
                kind: 9, in: log, parents: [unknown], lamport: 9)
            if index < MembershipLog.mostParked {
                #expect(try crowded.insert(record) == .parked(missing: [unknown]))
                #expect(try crowded.insert(record) == .parked(missing: [unknown]))
            } else {
                #expect(throws: MembershipError.tooManyParked) { _ = try crowded.insert(record) }
            }
        }
        #expect(crowded.missingParents.count == MembershipLog.mostParked)
        crowded.discardParked()
        #expect(crowded == log)
    }

    @Test func `the heads are the records that nothing follows`() throws {
        let (log, devices) = try group(of: 3)
        #expect(log.heads.elements == log.records.last.map { [$0.id] })
        let forks = try devices.map { try $0.record(kind: 9, in: log) }
        let forked = try log.inserting(forks[0], forks[1], forks[2])
        #expect(forked.heads == OrderedSet(forks.map(\.id)))
        let merged = try forked.inserting(devices[0].record(kind: 9, in: forked))
        #expect(merged.heads.count == 1)
    }

    @Test func `a peer gets exactly the records that its heads do not cover`() throws {
        let (log, devices) = try group(of: 3)
        let left = try log.inserting(devices[1].record(kind: 9, in: log))
        let right = try log.inserting(devices[2].record(kind: 10, in: log))
        let merged = try left.inserting(try #require(right.records.last))
        let missing = merged.records(unknownTo: left.heads.elements)
        #expect(missing.map(\.id) == right.heads.elements)
        #expect(merged.records(unknownTo: []) == merged.records)
        #expect(merged.records(unknownTo: [.zero]) == merged.records)
        #expect(merged.records(unknownTo: merged.heads.elements).isEmpty)
        #expect(
            merged.records(upTo: right.heads.elements, unknownTo: log.heads.elements).map(\.id)
                == right.heads.elements)
        #expect(
            merged.records(upTo: left.heads.elements, unknownTo: right.heads.elements).count == 1)
        #expect(merged.records(upTo: left.heads.elements) == left.records)
        #expect(merged.state(upTo: left.heads.elements) == left.state)
        #expect(merged.record(.zero) == nil)
    }

    @Test func `a record follows at most eight heads, its author's admission among them`() throws {
        let (log, devices) = try group(of: 12)
        var forked = try devices[0].found()
        for record in log.records.dropFirst(2).prefix(1) { try forked.insertAll(record) }
        let base = forked
        for seed in 0..<20 {
            try forked.insertAll(devices[0].add(TestDevice(UInt64(300 + seed)), to: base))
        }
        #expect(forked.heads.count == 20)
        let newest = TestDevice(310)
        let record = try newest.epoch(in: forked)
        #expect(record.parents.count == MemberRecord.mostParents)
        let admission = try #require(forked.state.member(newest.device)).admission
        #expect(record.parents.contains(admission))
        let after = try forked.inserting(record)
        #expect(after.heads.count == 20 - MemberRecord.mostParents + 1)
    }

    @Test func `a group has a bounded number of records`() throws {
        var (log, devices) = try group(of: 1)
        var chain: [MemberRecord] = []
        for lamport in 3...UInt64(Limits.memberRecords + 1) {
            chain.append(
                try devices[0].record(
                    kind: 200, in: log, parents: [chain.last?.id ?? log.records[1].id],
                    lamport: lamport))
        }
        #expect(log.insert(contentsOf: chain).refusal == nil)
        let one = try devices[0].record(kind: 200, in: log)
        #expect(throws: MembershipError.tooManyRecords) { _ = try log.insert(one) }
        // The ancestors decide, not the records that are there: a shorter past leaves room.
        let founding = Array(log.records.prefix(2).map(\.id).suffix(1))
        let beside = try devices[0].record(kind: 200, payload: [1], in: log, parents: founding)
        try log.insertAll(beside)
        // A record that takes rights away is stored all the same.
        let vote = MemberPayload.vote(VotePayload(isFor: true, record: log.group))
        try log.insertAll(devices[0].record(kind: 5, payload: vote.encoded, in: log))
    }

    /// Records made by five devices that hear of each other late, contradictions included.
    private func tangle(seed: UInt64) throws -> [MemberRecord] {
        var entropy = entropy(seed)
        let (start, devices) = try group(of: 5)
        var logs = devices.map { _ in start }
        var all = start.records
        for step in 0..<24 {
            let index = Int(entropy.uniform(below: 5))
            if entropy.uniform(below: 3) == 0 {
                let other = Int(entropy.uniform(below: 5))
                for record in logs[other].records { _ = try logs[index].insert(record) }
            }
            let (device, log) = (devices[index], logs[index])
            let newcomer = TestDevice(100 + UInt64(entropy.uniform(below: 6)))
            let record: MemberRecord
            switch entropy.uniform(below: 8) {
            case 0, 1:
                guard let epoch = try? device.epoch(in: log, seed: UInt64(step)) else { continue }
                record = epoch
            case 2:
                record = try device.forgedEpoch(
                    in: log, number: 1 + (log.state.epochs.first?.number ?? 0),
                    .random(devices, seed: UInt64(step)))
            case 3 where step > 12:
                record = try device.record(kind: 9, payload: [UInt8(step)], in: log)
            default:
                let role = Role.allCases[Int(entropy.uniform(below: 4))]
                guard let add = try? device.add(newcomer, role: role, to: log, seed: UInt64(step))
                else { continue }
                record = add
            }
            try logs[index].insertAll(record)
            all.append(record)
        }
        return all
    }

    @Test(arguments: 0..<12)
    func `every order of arrival leads to one log`(seed: UInt64) throws {
        let records = try tangle(seed: seed)
        var inOrder = try MembershipLog(genesis: records[0])
        for record in records.dropFirst() { _ = try inOrder.insert(record) }
        #expect(inOrder.missingParents.isEmpty)
        for order in 0..<12 {
            var log = try MembershipLog(genesis: records[0])
            for record in shuffled(Array(records.dropFirst()), seed: seed &* 100 &+ UInt64(order)) {
                _ = try log.insert(record)
            }
            #expect(log == inOrder)
        }
        #expect(try MembershipLog(records: inOrder.records.map(\.encoded)) == inOrder)
    }

    @Test func `one device starts a new epoch when a member was left out`() throws {
        let (log, devices) = try group(of: 3)
        #expect(
            devices.allSatisfy { $0.ring(log).rotationTurn(of: $0.device, in: log) == nil })
        let add = try devices[0].add(TestDevice(7), to: log)
        let rotation = try devices[1].epoch(in: log)
        var merged = try log.inserting(add, rotation)
        let epoch = try #require(merged.state.epoch(rotation.id))
        #expect(merged.state.currentEpoch?.number == 1)
        #expect(merged.state.holders(of: epoch) == OrderedSet(devices.map(\.device)))
        let sorted = devices.sorted { $0.device < $1.device }
        func turns() -> [Int?] {
            sorted.map { $0.ring(merged).rotationTurn(of: $0.device, in: merged) }
        }
        #expect(turns() == [0, 1, 2])
        let newcomer = TestDevice(7)
        #expect(newcomer.ring(merged).rotationTurn(of: newcomer.device, in: merged) == nil)
        #expect(newcomer.ring(merged).keys(of: rotation.id) == nil)
        try merged.insertAll(sorted[0].epoch(in: merged))
        #expect(turns() == [nil, nil, nil])
        #expect(newcomer.ring(merged).keys(of: rotation.id)?.dataKey != nil)
        #expect(TestDevice(7).ring(merged).current(in: merged) != nil)
    }
}
