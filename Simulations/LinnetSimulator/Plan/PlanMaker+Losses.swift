/// Draws clocks that leap and come back, disks that lose what nobody else has, and devices that are
/// heard of through others.
extension PlanMaker {
    /// A clock jumps ahead, its device writes under it, and somebody sets it right.
    mutating func drawLeap() {
        let device = device()
        let ahead = Int64(random.number(in: 40 * Int(Self.day)...3_650 * Int(Self.day)))
        var time = moment()
        if random.chance(1, in: 2) { time = meeting(device, at: time) }
        add(.clock(device: device, .step(ahead)), at: time)
        time = writing(device, 1...3, at: time + 1_000)
        if random.chance(1, in: 3) { time = meeting(device, at: time) }
        time += Int64(random.pick([1_000, 3_600_000, Int(Self.day)]))
        add(.clock(device: device, .step(-ahead)), at: time)
        _ = writing(device, 2...4, at: time + 1_000)
    }

    /// A battery goes empty after others agreed about the time, and somebody sets the clock right.
    mutating func drawEmptyBattery() {
        let device = device()
        var time = moment()
        if random.chance(4, in: 5) { time = meeting(device, at: time) }
        // The clocks begin in January 2027; the larger of the two leads to the first days of 1970.
        let years = Int64(random.number(in: 1...12)) * 365 * Self.day
        let behind = random.chance(1, in: 3) ? 1_799_000_000_000 : years
        add(.clock(device: device, .step(-behind)), at: time)
        time = writing(device, 1...3, at: time + 1_000)
        if random.chance(1, in: 3) {
            time = meeting(device, at: time)
            time = writing(device, 1...2, at: time)
        }
        time += Int64(random.pick([1_000, 3_600_000, Int(Self.day)]))
        add(.clock(device: device, .step(behind)), at: time)
        _ = writing(device, 1...3, at: time + 1_000)
    }

    /// A device writes, and loses some of it before anybody else has it; mostly it writes on.
    mutating func drawLoss() {
        let device = device()
        var time = writing(device, 1...6, at: moment())
        let loss = BatchLoss(
            most: random.pick([1, 1, 2, 4]), isChange: random.chance(1, in: 3),
            forgetsPeers: random.chance(1, in: 4), isOfNewest: random.chance(1, in: 2))
        // Rows are written when a device is idle.
        time += Int64(random.pick([100, 5_000, 60_000]))
        add(.disk(device: device, .loss(loss)), at: time)
        _ = writing(device, 0...3, at: time + 5_000)
    }

    /// One device writes at the very beginning, half the time much, and meets another, with which a
    /// third one stays. Then it writes on and meets that third one, and the other hears of it.
    mutating func drawRelay() {
        plan.writesBeside = true
        let writer = device()
        let others = (0..<plan.devices).filter { $0 != writer }
        let relay = random.pick(others)
        let third = random.pick(others.filter { $0 != relay })
        let time = writing(writer, 2...6, at: 1_000)
        add(.meet(relay, third, lasting: 60_000, .calm), at: time + 1_000)
        add(.meet(relay, writer, lasting: 15_000, .calm), at: time + 8_000)
        if random.chance(1, in: 2) {
            add(.write(device: writer, scenario.workload.write(&random, size: .many)), at: 500)
        }
        let later = writing(writer, 1...2, at: time + 26_000)
        add(.meet(third, writer, lasting: 10_000, .calm), at: later + 1_000)
    }

    /// Somebody writes a few times, a second apart, also just to a scope that others leave; when it
    /// is over.
    mutating func writing(
        _ device: Int, _ times: ClosedRange<Int>, toLeave: Bool = false, at start: Int64
    ) -> Int64 {
        var time = start
        for _ in 0..<random.number(in: times) {
            var request = scenario.workload.write(&random, size: .few)
            if toLeave, let write = scenario.workload.writeToLeave(&random) {
                request.writes = [write]
            }
            add(.write(device: device, request), at: time)
            time += 1_000
        }
        return time
    }
}
