/// Draws homes that go on twice: an image is put back, or a copy is started where nobody can
/// notice, both lives write, and others write about both before anybody knows.
extension PlanMaker {
    mutating func drawTwins() {
        plan.dividesInSessions = true
        // Copies get the next numbers; a home that could not be copied then leaves its number out.
        var copies = plan.actions.count { if case .clone = $0.kind { true } else { false } }
        for _ in 0..<random.number(in: 1...3) {
            let owner = device()
            let others = (0..<plan.devices).filter { $0 != owner }
            let first = random.pick(others)
            let second = random.pick(others.filter { $0 != first })
            var time = Int64(random.below(Int(plan.duration * 3 / 4)))
            // The trunk of what both lives go on with.
            if scenario.forksWhatIsLeft { time = writing(owner, 1...1, toLeave: true, at: time) }
            for other in others { time = meeting(owner, other, at: time) }
            if random.chance(1, in: 2) {
                drawCopy(owner, plan.devices + copies, first, second, at: time)
                copies += 1
            } else {
                drawImage(owner, first, second, at: time)
            }
        }
    }

    /// A copy runs beside its home.
    private mutating func drawCopy(
        _ owner: Int, _ copy: Int, _ first: Int, _ second: Int, at start: Int64
    ) {
        add(.clone(device: owner, withWitness: true), at: start)
        var time = start + 1_000
        for _ in 0..<random.number(in: 1...3) {
            time = change(owner, and: first, at: time)
            time = change(copy, and: second, at: time)
        }
    }

    /// The image of a home is put back after others have heard of what it wrote since.
    private mutating func drawImage(_ owner: Int, _ first: Int, _ second: Int, at start: Int64) {
        add(.backUp(device: owner), at: start)
        var time = start + 1_000
        for _ in 0..<random.number(in: 1...3) { time = change(owner, and: first, at: time) }
        add(.restore(device: owner, .wholeMachine), at: time)
        time += 10_000
        for _ in 0..<random.number(in: 1...3) { time = change(owner, and: second, at: time) }
    }

    /// One life of a home and somebody it meets change the same things.
    private mutating func change(_ life: Int, and other: Int, at start: Int64) -> Int64 {
        let kinds: [FaultKind] = [.typing, .recount, .move, .membership, .restoration]
        let kind = random.pick(kinds)
        plan.drawn[kind, default: 0] += 1
        var time = start
        for step in scenario.workload.encounter(kind, &random) {
            let request = SimulatedWrite(writes: [step.write])
            add(.write(device: step.isFirst ? life : other, request), at: time)
            time += 1_000
            // What the other writes is mostly about what it has got by then.
            if random.chance(2, in: 3) { time = meeting(life, other, at: time) }
        }
        if scenario.forksWhatIsLeft { time = writing(life, 1...1, toLeave: true, at: time) }
        return meeting(life, other, at: time)
    }

    /// Two devices meet, or one and any other; when it is over.
    mutating func meeting(_ left: Int, _ right: Int? = nil, at time: Int64) -> Int64 {
        let other = right ?? (left + 1 + random.below(plan.devices - 1)) % plan.devices
        add(.meet(left, other, lasting: 8_000, .calm), at: time)
        return time + 9_000
    }
}
