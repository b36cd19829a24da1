/// The faults of one seed, and their strength: swarm testing (Groce et al., ISSTA 2012).
///
/// Each seed leaves out most kinds altogether, because a fault that always happens hides what only
/// happens in its absence.
struct FaultProfile {
    private(set) var kinds: Set<FaultKind> = []
    /// The number of times that a fault of each kind happens over the whole run.
    private var times: [FaultKind: Int] = [:]
    /// Out of a thousand messages in bad weather.
    private(set) var weatherRate = 0
    /// The meetings of a hundred that have bad weather.
    private(set) var badMeetings = 0

    /// - Parameter always: the kinds that every seed has.
    init(
        among all: [FaultKind], always: [FaultKind] = [], random: inout SeededRandom
    ) {
        // A few seeds have nearly none, a few nearly all.
        let density = random.pick([1, 2, 3, 3, 4, 6])
        for kind in all where random.chance(density, in: 8) {
            kinds.insert(kind)
            times[kind] = random.pick([1, 1, 2, 3, 5, 8])
        }
        weatherRate = random.pick([2, 5, 20, 100])
        badMeetings = random.pick([10, 30, 80])
        for kind in always {
            kinds.insert(kind)
            times[kind] = random.pick([2, 3, 5])
        }
    }

    func has(_ kind: FaultKind) -> Bool { kinds.contains(kind) }
    func count(_ kind: FaultKind) -> Int { times[kind] ?? 0 }

    func weather(_ random: inout SeededRandom) -> Weather {
        var weather = Weather()
        if has(.slowLink), random.chance(1, in: 4) {
            weather.latency = 500...random.number(in: 600...9_000)
        }
        guard random.chance(badMeetings, in: 100) else { return weather }
        if has(.reorder) { weather.reorder = weatherRate }
        if has(.duplicate) { weather.duplicate = weatherRate }
        if has(.drop) { weather.drop = weatherRate }
        if has(.truncate) { weather.truncate = weatherRate }
        if has(.bitFlip) { weather.flip = weatherRate }
        if has(.halfOpen) { weather.halfOpen = random.chance(1, in: 2) }
        if has(.drip) { weather.drips = random.chance(1, in: 2) }
        if has(.flapping) { weather.redials = random.number(in: 1...12) }
        return weather
    }
}
