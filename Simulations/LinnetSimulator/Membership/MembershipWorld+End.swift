import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import MembershipReference

/// The end of a run: whoever is a member must have come to the same, and go on.
extension MembershipWorld {
    private static let mostRounds = 8

    /// The honest members, by all records that honest devices hold.
    private func fleet() throws(Violation) -> [SimulatedDevice] {
        let members = try everything().state.members.map(\.device)
        return honest.filter { device in
            device.isRunning && device.isMember
                && members.contains { $0 == device.replica?.device }
        }
    }

    /// All records that honest devices hold.
    private func everything() throws(Violation) -> MembershipLog {
        var records: [MemberRecordID: MemberRecord] = [:]
        for device in honest where device.isMember {
            for record in try judge.log(of: device).records { records[record.id] = record }
        }
        do {
            return try MembershipLog(
                stored: records.values.sorted(by: MemberRecord.precedes).map(\.encoded))
        } catch {
            throw Violation(.noTraps, "the records of all are no log: \(error)")
        }
    }

    /// Lets all honest devices meet, round by round, until members hold and show the same.
    func converge() throws {
        for round in 1...Self.mostRounds {
            try meetAll()
            rounds = round
            if try difference() == nil { break }
        }
        if let (message, pair) = try difference() {
            throw LivenessFailure(
                message: "after \(Self.mostRounds) rounds \(message)", devices: pair)
        }
        for device in honest where device.isMember {
            if let view = try judge.view(of: device) {
                try judge.check(device, view, withReference: true)
            }
        }
        for device in honest { try judge.checkHeld(on: device) }
        for device in try fleet() { try judge.checkShown(on: device) }
    }

    private func meetAll() throws(Violation) {
        for left in honest {
            for right in honest where right.index > left.index {
                try meet(left, right, lasting: 1_000)
                try advance(to: now + 1_000)
            }
            try judge.checkHeld(on: left)
        }
        try advance(to: now + 3_600_000)
    }

    /// The way in which two honest members still differ; nil when all hold and show the same.
    private func difference() throws(Violation) -> (String, [Int])? {
        let fleet = try fleet()
        for device in honest where device.isMember {
            let isIn = fleet.contains { $0.index == device.index }
            let believes = try judge.view(of: device)?.log.state.members.contains {
                $0.device == device.replica?.device
            }
            let everything = try everything().state
            let wasIn = everything.former.contains { $0.device == device.replica?.device }
            if isIn != believes, isIn || wasIn {
                return ("device \(device.index) does not know that it is in or out", [device.index])
            }
        }
        guard let first = fleet.first else { return nil }
        for device in fleet.dropFirst() {
            let pair = [first.index, device.index]
            let logs = (try judge.log(of: first), try judge.log(of: device))
            if logs.0.heads != logs.1.heads {
                return ("devices \(pair) hold different records of the membership", pair)
            }
            if let chain = VectorEntry.difference(
                first.replica?.log.vectorEntries() ?? [], device.replica?.log.vectorEntries() ?? [])
            {
                return ("devices \(pair) hold or show different batches: \(chain)", pair)
            }
            do {
                if try first.replica?.reader.digest() != device.replica?.reader.digest() {
                    return ("devices \(pair) show something else", pair)
                }
            } catch {
                throw Violation(.noTraps, "a home cannot be read: \(error)", devices: pair)
            }
        }
        return try notHandedOver(to: fleet)
    }

    /// What a device that is out wrote and a member does not have; nil when there is nothing.
    private func notHandedOver(
        to fleet: [SimulatedDevice]
    ) throws(Violation) -> (String, [Int])? {
        let everything = try everything().state
        for former in honest where former.isRunning && former.isMember {
            guard let author = former.replica?.device, everything.member(author) == nil,
                case .upTo? = everything.verdict.batches[author]
            else { continue }
            // It hands over nothing to those whom it does not take for members.
            let known = try judge.view(of: former)?.log.state
            guard fleet.contains(where: { known?.member(id(of: $0)) != nil }) else { continue }
            for device in fleet {
                if let mark = try judge.notHandedOver(from: former, to: device) {
                    let pair = [former.index, device.index]
                    return ("\(mark) of a device that is out was not handed over", pair)
                }
            }
        }
        return nil
    }

    /// Every member that may writes once more, and every member sees it.
    func goOn() throws {
        let fleet = try fleet()
        for device in fleet { try write([], on: device) }
        for _ in 0..<2 { try meetAll() }
        if let (message, pair) = try difference() {
            throw LivenessFailure(message: "in the end \(message)", devices: pair)
        }
        let members = try everything().state
        let mayRotate = fleet.contains { members.member(id(of: $0))?.role.writes ?? false }
        for device in fleet {
            if mayRotate, try judge.view(of: device)?.reference.current == nil {
                throw Violation(
                    .epochsAreClean, "no epoch can be used in the end", devices: [device.index])
            }
            try judge.checkHeld(on: device)
            try judge.checkShown(on: device)
        }
        let all = try everything()
        let admin = fleet.first { all.state.member(id(of: $0))?.role == .admin }
        // Nobody promises that one who lies lets others be.
        guard let admin, liars.isEmpty, !all.state.upgradeNeeded,
            all.state.members.count < Limits.devices
        else {
            return
        }
        let newcomer = try addDevice()
        try pair(newcomer, with: admin, as: .admin)
        for _ in 0..<3 {
            try meet(newcomer, admin, lasting: 1_000)
            try advance(to: now + 3_600_000)
        }
        guard let entries = newcomer.replica?.log.vectorEntries(), newcomer.isMember,
            entries == admin.replica?.log.vectorEntries()
        else {
            throw LivenessFailure(
                message: "a newcomer does not come to show the same",
                devices: [admin.index, newcomer.index])
        }
    }
}

extension MembershipJudge {
    /// G2: whoever was out has no key that opens what was written under a later epoch.
    func checkSecrets(of world: MembershipWorld) throws(Violation) {
        var records: [MemberRecordID: MemberRecord] = [:]
        for device in world.honest where device.isMember {
            for record in try log(of: device).records { records[record.id] = record }
        }
        let all: MembershipLog
        do {
            all = try MembershipLog(
                stored: records.values.sorted(by: MemberRecord.precedes).map(\.encoded))
        } catch {
            throw Violation(.noTraps, "the records of all are no log: \(error)")
        }
        for reader in world.devices {
            let keys = SimulatedDevice.keys(seed: world.plan.seed, identity: reader.identity)
            let ring = KeyRing(log: all, keys: keys).epochs.compactMap(\.dataKey)
            for device in world.honest where device.isMember {
                do {
                    try checkSecrets(of: device, from: keys.device, ring, in: all.group)
                } catch let violation as Violation {
                    throw violation
                } catch {
                    throw Violation(
                        .noTraps, "a home cannot be read: \(error)", devices: [device.index])
                }
            }
        }
    }

    private func checkSecrets(
        of device: SimulatedDevice, from reader: DeviceID, _ keys: [SharedSecret],
        in group: GroupID
    ) throws {
        guard let store = device.replica?.storeForReading else { return }
        for row in device.replica?.chainRows ?? [] where row.stored >= row.first {
            for seq in row.first...row.stored {
                guard
                    let batch = try store.batch(chain: row.index, seq: seq),
                    let entitled = entitled[batch.epoch], !entitled.contains(reader)
                else { continue }
                let header = BatchHeader(
                    group: group, device: row.device, incarnation: row.incarnation,
                    scope: row.scope, seq: seq, prev: batch.prev, epoch: batch.epoch,
                    nonce: batch.nonce, root: batch.root
                ).encoded
                for key in keys where Self.opens(batch, header, row, with: key) {
                    throw Violation(
                        .outMeansOut, "a device opens what was written while it was out",
                        devices: [device.index])
                }
            }
        }
    }

    private static func opens(
        _ batch: BatchRow, _ header: [UInt8], _ row: ChainRow, with dataKey: SharedSecret
    ) -> Bool {
        let author = Hash.blake2b(.author, row.device.array, row.incarnation.array, count: 16)
        let binding = author + row.scope.array
        let key: SecretBytes
        if let root = batch.root {
            let parent = KeyDerivation.derive(dataKey.bytes, .scopeKey, root.array)
            key = KeyDerivation.derive(parent, .scopedBatchKey, binding)
        } else {
            key = KeyDerivation.derive(dataKey.bytes, .batchKey, binding)
        }
        do {
            _ = try XChaCha.open(
                key: key, nonce: batch.nonce, ciphertext: batch.ciphertext,
                associatedData: header)
            return true
        } catch {
            return false
        }
    }
}

/// Runs a plan of the scenario `membership`.
struct MembershipSimulation {
    static func run(_ plan: Plan, _ trace: Trace) -> Outcome {
        let world = MembershipWorld(plan, trace: trace)
        let result = Outcome.Result { try world.run() }
        return Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: plan.usesRealCrypto,
            traceHash: world.trace.hash.value, events: world.events, milliseconds: world.now,
            devices: world.devices.count, rounds: world.rounds, result: result,
            coverage: world.coverage, states: [])
    }
}

extension VectorEntry {
    /// The first chain of which two devices hold or show different batches.
    fileprivate static func difference(_ one: [Self], _ other: [Self]) -> String? {
        if one == other { return nil }
        let lines = [one, other].map { entries in
            entries.map {
                "\($0.scope.description.prefix(4))/\($0.chain.description.prefix(4)) of "
                    + "\($0.device.description.prefix(6)): \($0.seq), shows \($0.visible)"
            }
        }
        let (left, right) = (
            lines[0].filter { !lines[1].contains($0) }, lines[1].filter { !lines[0].contains($0) }
        )
        return "\(left.first ?? "nothing") and \(right.first ?? "nothing")"
    }
}
