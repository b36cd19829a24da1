import LinnetReplication

/// A fork that comes to light in sessions which are already open.
extension World {
    /// The time that running sessions may take to heal a fork.
    private static let healingMilliseconds: Int64 = 150_000

    /// The last fault of a fleet in which everybody is connected with everybody: a copy of a home
    /// starts, its two lives reach different halves of the others, all write, and then the halves
    /// hear of each other again. No link is opened after that.
    func divideInSessions() throws {
        guard plan.dividesInSessions, let owner = devices.first, devices.count > 2,
            devices.allSatisfy({ $0.isRunning && $0.isMember })
        else { return }
        trace.recorder?.phase(
            now, "Two lives in open sessions",
            why: "A copy starts while all are connected, and each life reaches half of the others.")
        for left in devices.indices {
            for right in devices.indices where right > left { try stay(left, right) }
        }
        try run(until: now + 60_000)
        let halves = (0..<2).map { half in devices.indices.filter { $0 % 2 == half } }
        let routes = halves[0].flatMap { one in
            halves[1].flatMap { other in
                [Route(from: one, to: other), Route(from: other, to: one)]
            }
        }
        let count = devices.count
        network.block(routes)
        try clone(owner, true)
        if devices.count > count, let copy = devices.last, copy.isRunning {
            for other in halves[1] { try stay(copy.index, other) }
            try run(until: now + 10_000)
            var random = SeededRandom(seed: plan.seed).fork("sessions")
            for (life, half) in [(owner, halves[0]), (copy, halves[1])] {
                guard let other = half.first(where: { $0 != life.index }) else { continue }
                try change(life, and: devices[other], &random)
            }
        }
        unblock(routes)
        trace.recorder?.phase(
            now, "Both halves hear of each other",
            why: "No link is opened from here on; all must come to the same in open sessions.")
        // Others keep one session with all that have one name, so that with an earlier copy about
        // somebody may be left alone.
        guard isConnected else { return }
        try run(until: now + Self.healingMilliseconds)
        if let (message, pair) = difference() {
            throw LivenessFailure(
                message: "in sessions that nobody opened anew \(message)", devices: pair)
        }
        if devices.count > count { coverage.reached(.forkHealedInSession) }
    }

    /// True when links lead from the first device to every other one, over others if need be.
    private var isConnected: Bool {
        var (reached, next): (Set<Int>, [Int]) = ([0], [0])
        while let index = next.popLast() {
            for end in devices[index].links {
                guard let link = network[end], !link.isDead, reached.insert(link.to).inserted
                else { continue }
                next.append(link.to)
            }
        }
        return reached.count == devices.count
    }

    /// Two devices stay near each other, and nobody dials when their link ends.
    private func stay(_ left: Int, _ right: Int) throws(Violation) {
        let meeting = Encounter(
            left, right, weather: .calm, lasting: 3_600_000, now: now,
            random: SeededRandom(seed: plan.seed &+ UInt64(left * 32 + right)))
        begin(meeting)
        _ = try dial(devices[left], devices[right], .dialled, meeting: meeting)
    }

    /// One life of a home and somebody who hears of it change the same things.
    private func change(
        _ life: SimulatedDevice, and other: SimulatedDevice, _ random: inout SeededRandom
    ) throws(Violation) {
        for kind in [FaultKind.typing, .recount, .membership, .move] {
            for step in plan.workload?.encounter(kind, &random) ?? [] {
                let request = SimulatedWrite(writes: [step.write])
                try write(request, on: step.isFirst ? life : other, 0, salt: 0)
                try run(until: now + 1_000)
            }
        }
    }
}
