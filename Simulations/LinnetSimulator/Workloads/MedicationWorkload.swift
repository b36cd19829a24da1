import LinnetCRDT
import LinnetMedication

/// Days of people who take medicines, on the schema that every home has.
///
/// Their habits are drawn from a generator of their own; what they write follows from what their
/// devices show at that moment.
struct MedicationWorkload: Workload {
    /// True when they fly, in place of counting their stock.
    var travels = false

    let schemas = [Schema.demonstration]

    /// Nobody writes anything but by habit.
    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite {
        SimulatedWrite(writes: [])
    }

    func habits(
        devices: Int, duration: Int64, _ random: inout SeededRandom
    ) -> [(time: Int64, kind: Action.Kind)]? {
        var day = MedicationDay(devices: devices, duration: duration, random: random)
        day.addMedications(travels ? 1 : 3, isAtHome: travels)
        for start in stride(from: Int64(0), to: duration, by: Int(PlanMaker.day)) {
            day.takeDoses(from: start)
            if travels { day.fly(from: start) } else { day.count(from: start) }
            day.sleep(from: start)
        }
        return day.actions
    }
}

/// Draws what people do.
private struct MedicationDay {
    let devices: Int
    let duration: Int64
    var random: SeededRandom
    var actions: [(time: Int64, kind: Action.Kind)] = []
    private var times: [[Int]] = []
    private var wishes = 0
    private static let minute: Int64 = 60_000

    init(devices: Int, duration: Int64, random: SeededRandom) {
        self.devices = devices
        self.duration = duration
        self.random = random
    }

    mutating func addMedications(_ count: Int, isAtHome: Bool) {
        for number in 0..<count {
            let perDay = isAtHome ? random.number(in: 1...3) : random.number(in: 1...2)
            let first = random.below(1_440 / perDay / 30) * 30
            times.append((0..<perDay).map { first + $0 * 1_440 / perDay })
            wish(
                .add(
                    times: isAtHome ? times[number] : minutesOfDay(times[number]),
                    zone: isAtHome ? SimulatedZones.home : "Etc/UTC"),
                of: number, on: 0, at: Int64(number) * 1_000)
        }
    }

    /// The minutes of the day, UTC, ascending, of times that count from the hour at which a plan
    /// begins: people tap when a dose is due.
    private func minutesOfDay(_ times: [Int]) -> [Int] {
        let start = Int(DeviceClock.epochMilliseconds % PlanMaker.day / Self.minute)
        return times.map { ($0 + start) % 1_440 }.sorted()
    }

    /// Somebody taps at each dose, early, in time or late; sometimes twice, or on two devices.
    mutating func takeDoses(from start: Int64) {
        for medication in times.indices {
            for minute in times[medication] where !random.chance(1, in: 8) {
                let late = random.number(in: -50...(random.chance(1, in: 5) ? 300 : 30))
                let at = start + Int64(minute + late) * Self.minute + Int64(random.below(60_000))
                let device = random.below(devices)
                switch random.below(14) {
                case 0: wish(.skip, of: medication, on: device, at: at)
                case 1:
                    wish(.snooze, of: medication, on: device, at: at)
                    let later = Int64(random.number(in: 11...60)) * Self.minute
                    wish(.take, of: medication, on: device, at: at + later)
                case 2, 3:
                    let other = (device + 1 + random.below(devices - 1)) % devices
                    wish(.take, of: medication, on: device, at: at)
                    wish(
                        .take, of: medication, on: other, at: at + Int64(random.below(400_000)))
                case 4, 5:
                    wish(.take, of: medication, on: device, at: at)
                    wish(.undo, of: medication, on: device, at: at + 2 * Self.minute)
                    if random.chance(1, in: 2) {
                        wish(.take, of: medication, on: device, at: at + 4 * Self.minute)
                    }
                case 6:
                    wish(.take, of: medication, on: device, at: at)
                    let other = random.below(devices)
                    wish(
                        .undo, of: medication, on: other, at: at + Int64(random.below(7_200_000)))
                case 7: wish(.additional, of: medication, on: device, at: at)
                case 8, 9:
                    // A second tap, and a retry of the first one.
                    let number = wishes
                    wish(.take, of: medication, on: device, at: at)
                    wish(.take, of: medication, on: device, at: at + 800)
                    add(number, .take, medication, device, at + Int64(random.below(90_000)))
                default:
                    // Some remember a dose half a day later, when the next one is nearer.
                    let hours: Int64 = wishes % 7 == 3 ? 14 : 0
                    wish(.take, of: medication, on: device, at: at + hours * 60 * Self.minute)
                }
            }
        }
    }

    /// Packages are opened and what is left is counted, now and then.
    mutating func count(from start: Int64) {
        for medication in times.indices where random.chance(1, in: 4) {
            let at = start + Int64(random.below(Int(PlanMaker.day)))
            let kind: MedicationDeed.Kind =
                random.chance(2, in: 3)
                ? .refill(random.number(in: 10...30)) : .recount(random.below(60))
            wish(kind, of: medication, on: random.below(devices), at: at)
        }
    }

    /// On some days somebody flies, sometimes on; one or two devices decide, some in no time.
    mutating func fly(from start: Int64) {
        guard random.chance(1, in: 3) else { return }
        var at = start + Int64(random.below(Int(PlanMaker.day)))
        for _ in 0..<(random.chance(1, in: 4) ? 2 : 1) {
            let zone = random.pick(SimulatedZones.names)
            let phone = random.below(devices)
            wish(.notice(zone: zone), of: 0, on: phone, at: at)
            for device in 0..<devices where random.chance(1, in: 2) {
                wish(
                    .notice(zone: zone), of: 0, on: device,
                    at: at + Int64(random.below(3_600_000)))
            }
            for device in [phone, random.below(devices)] where random.chance(3, in: 4) {
                wish(
                    .decide(strategy: random.below(3)), of: 0, on: device,
                    at: at + Int64(random.below(7_200_000)))
            }
            if random.chance(1, in: 2) { flyOn(on: phone, at: at) }
            at += Int64(random.below(30_000_000))
        }
    }

    /// Somebody decides at once, and again in the next zone, before the first decision has shown.
    private mutating func flyOn(on device: Int, at start: Int64) {
        var at = start + Int64(random.below(600_000))
        wish(.decide(strategy: 0), of: 0, on: device, at: at)
        for _ in 0..<random.number(in: 1...3) {
            at += Int64(random.below(10_000_000))
            wish(.notice(zone: random.pick(SimulatedZones.names)), of: 0, on: device, at: at)
            at += Int64(random.below(600_000))
            wish(.decide(strategy: random.below(2)), of: 0, on: device, at: at)
        }
    }

    /// A watch is off at night.
    mutating func sleep(from start: Int64) {
        guard random.chance(1, in: 2) else { return }
        let hours = Int64(random.number(in: 4...9))
        let at = start + 22 * 60 * Self.minute
        guard at < duration else { return }
        actions.append((at, .suspend(device: devices - 1, hours * 60 * Self.minute)))
    }

    private mutating func wish(
        _ kind: MedicationDeed.Kind, of medication: Int, on device: Int, at time: Int64
    ) {
        add(wishes, kind, medication, device, time)
        wishes += 1
    }

    private mutating func add(
        _ number: Int, _ kind: MedicationDeed.Kind, _ medication: Int, _ device: Int, _ time: Int64
    ) {
        guard time >= 0, time < duration else { return }
        let deed = MedicationDeed(number: number, medication: medication, kind: kind)
        actions.append((time, .deed(device: device, deed)))
    }
}
