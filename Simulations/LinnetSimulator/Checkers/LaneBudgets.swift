import LinnetCompanion
import LinnetWire

/// L2: budgets are never exceeded.
///
/// Counts frames and wakes as they leave the machines, in windows of its own.
struct LaneBudgets {
    /// The budget of a day; raised at the end, when everything is to arrive.
    var budget: DeviceBudget
    private var wakes: [[Int64]] = [[], []]
    private var sent: [[(time: Int64, bytes: UInt64)]] = [[], []]
    private var faces: [Int64] = []
    private var lastFace: TransferID?
    private static let facesPerDay = 50

    init(_ budget: DeviceBudget) { self.budget = budget }

    mutating func watch(
        _ effects: [CompanionEffect], of device: Int, _ moment: Moment
    ) throws(Violation) {
        let now = moment.wallMilliseconds
        var hasWoken = false
        for effect in effects {
            if case .wakeCounterpart = effect { hasWoken = true }
            guard case .send(_, let frame) = effect,
                case .part(let part)? = try? LaneFrame.decode(frame)
            else { continue }
            switch part.lane {
            case .message, .reply: break
            case .context, .userInfo, .file:
                sent[device].append((now, UInt64(part.bytes.count)))
                // The wakes for the face have a budget of their own.
                if hasWoken, !part.flags.contains(.complication) { wakes[device].append(now) }
            }
            hasWoken = false
        }
        let day = now - PlanMaker.day
        wakes[device].removeAll { $0 <= day }
        sent[device].removeAll { $0.time <= day }
        guard UInt64(wakes[device].count) <= budget.wakes else {
            throw Violation(
                .budgets, "device \(device) woke the other \(wakes[device].count) times")
        }
        let bytes = sent[device].reduce(0) { $0 + $1.bytes }
        guard bytes <= budget.bytes else {
            throw Violation(.budgets, "device \(device) sent \(bytes) bytes in a day")
        }
    }

    mutating func look(at end: LaneEnd, _ moment: Moment) throws(Violation) {
        let now = moment.wallMilliseconds
        // A device that sends nothing for a day may forget what it sent before.
        let counted = wakes[end.index].count { $0 > now - PlanMaker.day }
        // A platform that counts as reachable and loses messages wakes for one that is not sent,
        // and what is sent next then looks like the reason.
        let ledger = end.machine.ledger
        let known = ledger.wakes(at: moment) + ledger.sum(at: moment) { $0.messageWakes }
        guard known >= UInt64(counted) else {
            throw Violation(
                .budgets,
                "the ledger of device \(end.index) forgot a wake: it has \(known) of \(counted)")
        }
        guard end.index == 0,
            let face = end.machine.outstandingUserInfoTransfers.last(where: {
                $0.isCurrentComplicationInfo
            }), lastFace.map({ face.id > $0 }) ?? true
        else { return }
        lastFace = face.id
        faces = faces.filter { $0 > now - PlanMaker.day } + [now]
        guard faces.count <= LaneBudgets.facesPerDay else {
            throw Violation(.budgets, "\(faces.count) transfers for the face in a day")
        }
    }
}
