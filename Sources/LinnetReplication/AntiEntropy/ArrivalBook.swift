import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The machine of what others bring: it counts records, batches and bytes by device, and says whose
/// have to wait. Waiting is all that comes of it: what is held back stays where it is.
///
/// An allowance is whole at first and grows back within a day. Batches count for the device that
/// sends them, those that another one wrote by half, since an honest device passes on what it took
/// itself. What they open to counts for their author.
struct ArrivalBook {
    /// The kinds of amounts, each with its own way to wait.
    enum Kind {
        /// Membership records: no more are taken in.
        case records
        /// Batches: no more may be sent, for want of credit.
        case sent
        /// Opened batches: no more of them show.
        case decoded
    }

    private struct Account {
        var taken = TakenShares()
        /// The time up to which the allowance grew back, in uptime milliseconds.
        var uptime: Int64
        /// The amounts that came since the day began.
        var today = Arrivals()
        /// The time at which that was, in Unix milliseconds.
        var dayBegan: Int64
        /// True when something of it waits.
        var isHeldBack = false
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    /// The weight of what comes before this device was in step once: the group's past.
    private static let pastWeight = 1.0 / 16
    /// The share of an allowance that has to grow back before something goes on.
    private static let step = 1.0 / 64

    /// The amounts that a device may bring at once and within a day.
    var allowed = Arrivals.allowed
    private var accounts: OrderedTable<DeviceID, Account> = OrderedTable()
    /// The sequence numbers up to which chains are shown anew, and count no second time.
    private var again: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The time at which something that is held back may go on, in uptime milliseconds; nil when
    /// nothing is held back.
    private(set) var due: Int64?

    private var heldBack: [DeviceID] { accounts.filter { $0.value.isHeldBack }.map(\.key) }

    /// Returns the amounts that a device brought since its day began.
    func today(of device: DeviceID, at now: Moment) -> Arrivals {
        guard let account = accounts[device], Self.isSameDay(account, now) else {
            return Arrivals()
        }
        return account.today
    }

    /// Counts amounts that a device brought.
    ///
    /// - Parameter isKnown: false for a scope of which this device was never in step with a peer.
    mutating func note(
        _ device: DeviceID, _ amounts: Arrivals, isForwarded: Bool = false, isKnown: Bool = true,
        at now: Moment
    ) {
        var account = account(of: device, at: now)
        if !Self.isSameDay(account, now) {
            (account.today, account.dayBegan) = (Arrivals(), now.wallMilliseconds)
        }
        account.today = account.today + amounts
        account.taken.take(
            amounts, of: allowed,
            weight: (isForwarded ? 0.5 : 1) * (isKnown ? 1 : Self.pastWeight))
        accounts[device] = account
    }

    /// Returns true when a device has brought so much that more of it has to wait.
    mutating func holdsBack(_ device: DeviceID, _ kind: Kind, at now: Moment) -> Bool {
        guard accounts[device] != nil else { return false }
        var account = account(of: device, at: now)
        let share =
            switch kind {
            case .records: account.taken.records
            case .sent: max(account.taken.batches, account.taken.bytes)
            case .decoded: account.taken.decoded
            }
        defer { accounts[device] = account }
        guard share >= 1 else { return false }
        account.isHeldBack = true
        let wait = Int64((share - 1 + Self.step) * Double(Self.dayMilliseconds))
        due = min(due ?? .max, now.uptimeMilliseconds + wait)
        return true
    }

    /// Returns the devices of which something waits, or of whose allowance half is taken.
    func notable(at now: Moment) -> [Warning] {
        accounts.keys.compactMap { device in
            let account = account(of: device, at: now)
            guard account.isHeldBack || account.taken.largest >= 0.5 else { return nil }
            return .sendsMuch(
                device, today: today(of: device, at: now), isHeldBack: account.isHeldBack)
        }
    }

    /// Forgets that something waits when it is time to try again; true when it is.
    mutating func isTime(at now: Moment) -> Bool {
        guard let due, due <= now.uptimeMilliseconds else { return false }
        self.due = nil
        for device in heldBack { accounts[device]?.isHeldBack = false }
        return true
    }

    /// Notes that all that chains show is shown anew.
    mutating func showAgain(_ rows: [ChainRow]) {
        again = OrderedTable(
            rows.lazy.filter { $0.applied >= $0.first }.map { ($0.key, $0.applied) })
    }

    /// Returns true when a batch of a chain was shown before, and nothing holds it back.
    func wasShown(_ seq: UInt64, of key: ChainKey) -> Bool {
        !again.isEmpty && seq <= again[key] ?? 0
    }

    /// Returns true when something of a device waits.
    func holdsSomething(of device: DeviceID) -> Bool { accounts[device]?.isHeldBack ?? false }

    private func account(of device: DeviceID, at now: Moment) -> Account {
        guard var account = accounts[device] else {
            return Account(uptime: now.uptimeMilliseconds, dayBegan: now.wallMilliseconds)
        }
        let passed = max(0, now.uptimeMilliseconds - account.uptime)
        account.taken.growBack(Double(passed) / Double(Self.dayMilliseconds))
        account.uptime = now.uptimeMilliseconds
        return account
    }

    private static func isSameDay(_ account: Account, _ now: Moment) -> Bool {
        let (passed, overflow) =
            now.wallMilliseconds.subtractingReportingOverflow(account.dayBegan)
        return !overflow && (0..<dayMilliseconds).contains(passed)
    }
}
