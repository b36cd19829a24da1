import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The end of a run: the honest must have reached the same, and go on.
extension SabotageWorld {
    private static let mostRounds = 6

    /// Lets all honest devices meet, round by round, until they hold and show the same.
    func converge() throws {
        for round in 1...Self.mostRounds {
            try meetAll()
            rounds = round
            guard try difference() != nil else { return try judge() }
        }
        try judge()
        let (message, pair) = try difference() ?? ("", [])
        throw LivenessFailure(message: "after \(Self.mostRounds) rounds \(message)", devices: pair)
    }

    private func meetAll() throws(Violation) {
        for left in honest {
            for right in honest where right.index > left.index { try meet(left, right) }
        }
        try advance(to: now + 3_600_000)
    }

    private func judge() throws(Violation) {
        for device in honest {
            let entries = device.replica?.log.vectorEntries() ?? []
            try fleet.checkNothingLost(entries, on: device.index)
            try fleet.checkNames(entries, on: device.index)
            if let pending = device.replica?.storeForReading.pendingTotals {
                try fleet.checkWaiting(pending, on: device.index)
            }
        }
    }

    /// The way in which two honest devices still differ; nil when all hold and show the same.
    private func difference() throws(Violation) -> (String, [Int])? {
        guard let first = honest.first else { return nil }
        for device in honest.dropFirst() {
            let pair = [first.index, device.index]
            if first.replica?.log.vectorEntries() != device.replica?.log.vectorEntries() {
                return ("devices \(pair) hold or show different batches", pair)
            }
            let records = (try memberRecords(of: first), try memberRecords(of: device))
            if records.0.count != records.1.count {
                return ("devices \(pair) hold different records of the membership", pair)
            }
            let digests = try read(of: device) {
                (try first.replica?.reader.digest(), try device.replica?.reader.digest())
            }
            if digests.0 != digests.1 { return ("devices \(pair) show something else", pair) }
        }
        return nil
    }

    /// Everybody writes once more, and everybody sees it.
    func goOn() throws(Violation) {
        for device in honest {
            try write([mark(of: device.index, "here")], on: device)
        }
        try meetAll()
        try meetAll()
        for device in honest {
            for other in honest {
                let key = mark(of: other.index, "").key
                let state = try read(of: device) { try device.replica?.reader.existing(key) }
                guard state?.isLive == true else {
                    throw Violation(
                        .memberStopsNobody,
                        "what device \(other.index) wrote in the end does not show",
                        devices: [device.index, other.index])
                }
            }
        }
        try judge()
    }

    private func mark(of device: Int, _ text: String) -> Write {
        guard let id = RecordID("mark-\(device)") else {
            preconditionFailure("letters and digits are legal")
        }
        return .set(
            collection: HouseholdSchema.notes, record: id, fields: [FieldWrite(1, .text(text))])
    }

    /// Another device joins, and comes to hold the same, unless an admin keeps all from it.
    func welcome() throws {
        guard !fleet.isFrozen else { return }
        let newcomer = addDevice()
        try start(newcomer)
        try pair(newcomer)
        for _ in 0..<Self.mostRounds {
            try meet(newcomer, devices[0])
            try advance(to: now + 3_600_000)
            if try newcomer.replica?.reader.digest() == devices[0].replica?.reader.digest() {
                return
            }
        }
        throw LivenessFailure(
            message: "a newcomer does not come to show the same", devices: [0, newcomer.index])
    }

    func judgeDisks() throws(Violation) {
        let received = max(saboteur?.sent ?? 0, saboteur?.decoded ?? 0)
        for device in honest {
            guard case .sqlite(let image) = device.backend.image() else { continue }
            let bytes = image.files.reduce(0) { $0 + $1.bytes.count }
            try fleet.checkDisk(bytes, received: received, of: device.index)
        }
    }
}

/// Runs a plan of the scenario `saboteur`.
struct SabotageSimulation {
    static func run(_ plan: Plan, _ sabotage: SabotagePlan, _ trace: Trace) -> Outcome {
        let world = SabotageWorld(plan, sabotage, trace: trace)
        let result = Outcome.Result { try world.run() }
        return Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: plan.usesRealCrypto,
            traceHash: world.trace.hash.value, events: world.events, milliseconds: world.now,
            devices: world.devices.count, rounds: world.rounds, result: result,
            coverage: world.coverage, states: [])
    }
}
