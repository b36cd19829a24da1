import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// No clock refuses a local write, and an overwrite is stamped above what it replaces.
final class ClocksNeverRefuse: Checker {
    let invariant = Invariant.clocksNeverRefuse
    let sights: [Sight.Kind] = [.answered, .greeted, .started, .renewed, .written]
    private let known: Knowledge
    /// A month: where no peer confirmed a clock that is wrong by more, it comes back.
    private static let doubtedMilliseconds: Int64 = 30 * 86_400_000
    /// The clock of each replica when it was last looked at.
    private var clocks: [Timestamp] = []
    /// The time at which a peer's clock last agreed with that of each device, by its own; the least
    /// where nobody can know any more, and nothing where none ever did.
    private var agreed: [Int: Int64] = [:]
    /// The latest time at which one may have agreed.
    private var mayHaveAgreed: [Int: Int64] = [:]
    /// The most milliseconds between a greeting and the look at it.
    private static let delayMilliseconds: Int64 = 60_000

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .answered(let answer): try checkClock(answer)
        case .greeted(let device, let ahead): noteGreeting(device, ahead)
        case .started(let start):
            // A later agreement is not written again within a day.
            if let known = agreed[start.device], known > .min {
                agreed[start.device] = known - 86_400_000
            }
        case .renewed(let device, let before, let clock):
            try checkRenewed(device, before: before, clock: clock)
        case .written(let written):
            for number in written.facts { try checkStamps(of: number, written) }
        default: break
        }
    }

    private func checkStamps(of number: Int, _ written: Sight.Written) throws(Violation) {
        let fact = known.catalogue.facts[number]
        let ahead = fact.body.attributes.baseStamp.milliseconds - known.wallMilliseconds
        if isWallClockRight, isWallClockBelieved(by: written.device),
            ahead > Self.doubtedMilliseconds
        {
            throw violation(
                "a write is stamped \(ahead) ms ahead of a wall clock that is right",
                on: written.device)
        }
        for operation in fact.body.operations where operation.field > 0 {
            let key = RecordKey(collection: operation.collection, record: operation.record)
            guard let old = overwritten(operation, written.before[key]), old < .ceiling else {
                continue
            }
            guard fact.body.stamp(of: operation) <= old else { continue }
            throw violation(
                "field \(operation.field) of \(key.record) was overwritten with an older stamp",
                on: written.device)
        }
    }

    /// True when the wall clock of the device that is looked at is right.
    private var isWallClockRight: Bool {
        let truth = DeviceClock.epochMilliseconds + known.now
        return abs(known.wallMilliseconds - truth) < Limits.clockSkewMilliseconds
    }

    /// False when a peer's clock may have agreed with that of a device at a later time: two clocks
    /// that are wrong by the same are believed, until a peer says otherwise.
    private func isWallClockBelieved(by device: Int) -> Bool {
        mayHaveAgreed[device].map { $0 <= known.wallMilliseconds } ?? true
    }

    /// The stamp of what an operation replaces.
    private func overwritten(_ operation: Operation, _ before: RecordState?) -> Timestamp? {
        switch before?.content(of: operation.field) {
        case .register(let old)? where old.generation == operation.generation: old.stamp
        case .tally(let tally)?
        where operation.kind == OperationKind.tallyBase.rawValue
            && before?.visibleGeneration == operation.generation:
            tally.base?.stamp
        default: nil
        }
    }

    /// A replica's clock never falls, and nobody else's pulls it far ahead of the device's own.
    private func checkClock(_ answer: Sight.Answer) throws(Violation) {
        while clocks.count <= answer.device { clocks.append(.zero) }
        let (before, now) = (clocks[answer.device], answer.clock)
        clocks[answer.device] = now
        guard before != .zero, now != before else { return }
        if now < before, !isHealed(from: before, to: now, answer.device) {
            throw violation("the clock of a replica went back", on: answer.device)
        }
        let ahead = known.wallMilliseconds + Limits.clockClampMilliseconds
        if now > max(before.next, Timestamp(wallMilliseconds: ahead).advanced(by: 1) ?? .ceiling) {
            throw violation("the clock of a replica was pulled far ahead", on: answer.device)
        }
    }

    /// True when a clock that a wrong wall clock took ahead came back to that when it was set back,
    /// to a time that is not before the one at which a peer last agreed.
    private func isHealed(from before: Timestamp, to now: Timestamp, _ device: Int) -> Bool {
        let wall = known.wallMilliseconds
        let believed = agreed[device] ?? Limits.wallClockFloorMilliseconds
        return before.milliseconds >= wall + Limits.clockClampMilliseconds
            && now.milliseconds >= wall && wall >= believed
    }

    /// Notes what a peer's clock says of a device's own; near the bound nobody can say.
    private func noteGreeting(_ device: Int, _ ahead: Int64) {
        let (wall, delay) = (known.wallMilliseconds, Self.delayMilliseconds)
        let difference = ahead.magnitude
        if difference <= UInt64(Limits.clockSkewMilliseconds + delay) {
            mayHaveAgreed[device] = max(mayHaveAgreed[device] ?? .min, wall)
        }
        if difference <= UInt64(Limits.clockSkewMilliseconds - delay) {
            (agreed[device], mayHaveAgreed[device]) = (wall - delay, wall)
        } else if difference <= UInt64(Limits.clockSkewMilliseconds + delay) {
            agreed[device] = min(
                agreed[device] ?? Limits.wallClockFloorMilliseconds, wall - delay)
        }
    }

    /// Nor does it fall across a restart.
    private func checkRenewed(
        _ device: Int, before: DeviceView, clock: Timestamp
    ) throws(Violation) {
        while clocks.count <= device { clocks.append(.zero) }
        let last = clocks[device]
        clocks[device] = clock
        let mayHaveLost = before.past.mayHaveLost || before.past.lostPower
        if mayHaveLost { agreed[device] = .min }
        guard !mayHaveLost, clock < last, !isHealed(from: last, to: clock, device) else {
            return
        }
        throw violation(
            "the clock of a replica went back at a start, from \(last) to \(clock)", on: device)
    }

    static func refused(_ error: ReplicaError, _ device: Int) -> Violation {
        Violation(
            .clocksNeverRefuse, "a good write was refused: \(error)", devices: [device])
    }
}
