import LinnetReplication
import LinnetWire

/// The mailboxes in the scenarios that are about them.
struct MailPlan: Equatable {
    /// True when devices meet nowhere else.
    var isOnlyWay: Bool
    /// The faults of the store.
    var faults: [FaultKind]
    /// The requests in a thousand that meet a fault of a kind.
    var rate: Int
    /// The time from which on many more of them do, until all faults end.
    var worseFrom: Int64
    /// Bytes of batches from which on devices leave packs.
    var inlineBytes: Int
    /// The longest time that an answer takes, in milliseconds.
    var slowest: Int
    /// The number of small packs from which on they are made into larger ones.
    var smallPacks: Int
    /// True where the store tells the others at once of what one put.
    var tells: Bool
    /// The bytes of the names of packs in a head from which on they go into a list apart.
    var shelfBytes: Int
}

extension MailPlan {
    /// Draws the mailbox of a seed; nil where the scenario has none.
    init?(
        _ scenario: Scenario, _ profile: FaultProfile, lasting duration: Int64,
        _ stream: SeededRandom, _ seed: UInt64
    ) {
        guard let use = scenario.mailbox else { return nil }
        isOnlyWay = use != .beside
        faults = FaultKind.ofMailboxes.filter(profile.has)
        guard use != .counted else {
            (rate, worseFrom, slowest) = (0, duration, 400)
            (inlineBytes, smallPacks) = (Limits.mailInlineBytes, 16)
            (tells, shelfBytes) = (seed.isMultiple(of: 2), Limits.mailShelfBytes)
            return
        }
        var random = stream
        rate = random.pick([2, 10, 40])
        worseFrom = duration - random.pick([0, 2, 12]) * PlanMaker.day / 24
        inlineBytes = random.pick([Limits.mailInlineBytes, 4_096, 512])
        slowest = random.pick([4_000, 4_000, 60])
        smallPacks = random.pick([16, 4, 2])
        tells = random.chance(1, in: 2)
        shelfBytes = random.pick([Limits.mailShelfBytes, 400])
    }
}

/// The mailbox of a fleet, and who uses it.
final class MailWorld {
    static let address = "folder:/mailbox"
    /// The looks of every device after which all must be the same: an object that an honest store
    /// lacks is left anew once two looks did not show it.
    static let roundsMaximum = 10
    /// The time after which a shell gives up waiting for an answer.
    static let patienceMilliseconds: Int64 = 60_000

    let plan: MailPlan
    let store: FaultyMailbox
    private var random: SeededRandom
    /// By device, the life that was told to use the mailbox.
    private var lives: [Int: Int] = [:]
    /// By device that sleeps, the life that is told of news, and the time.
    private var words: [Int: (life: Int, time: Int64)] = [:]
    /// The packs as they were put.
    private var packs = OrderedTable<MailName, [UInt8]>()

    init(_ plan: MailPlan, _ random: SeededRandom) {
        self.plan = plan
        self.random = random.fork("answers")
        store = FaultyMailbox(plan, random: random.fork("store"))
    }

    /// True once for each life of a device.
    func isNew(_ device: SimulatedDevice) -> Bool {
        guard lives[device.index] != device.lives else { return false }
        lives[device.index] = device.lives
        return true
    }

    /// Returns the time at which a device that sleeps is told again that there is news; nil when it
    /// will be told already.
    func nextWord(to device: Int, _ life: Int, at now: Int64) -> Int64? {
        if let word = words[device], word.life == life, word.time > now { return nil }
        let next = now + Self.patienceMilliseconds
        words[device] = (life, next)
        return next
    }

    /// Notes what a pack is.
    func note(_ pack: MailObject) { packs[pack.name] = pack.bytes }

    /// True for a pack that is given as it was put.
    func isWhole(_ pack: MailName, _ bytes: [UInt8]) -> Bool { packs[pack] == bytes }

    /// Returns the time that an answer takes.
    func answerTime() -> Int64 { Int64(random.number(in: 2...plan.slowest)) }
}

/// A request on its way to the store, or one whose answer does not come.
struct MailCall {
    let device: Int
    let life: Int
    let mailbox: MailboxID
    let request: MailRequest
    var isGivenUp = false
}
