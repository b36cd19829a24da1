import LinnetCompanion
import LinnetWire

/// A phone and a watch in virtual time: the shell of two machines, and what people do with them.
final class LaneWorld {
    enum Event {
        case action(Int)
        case arrival(to: Int, frame: [UInt8], link: Int)
        case deadline(Int)
        case launch(Int, life: Int)
        case death(Int)
        case unlock(Int)
        case answer(Int, TransferID, life: Int)
        case processed(Int, TransferID, life: Int)
        case completeTask(Int, UInt64, life: Int)
        /// The input of a shell or an app once a call has returned.
        case input(Int, CompanionInput, life: Int)
    }

    let plan: Plan
    let lanes: LanePlan
    var trace: Trace
    var coverage = Coverage()
    var ends: [LaneEnd] = []
    var promises = LanePromises()
    /// The place of the complication.
    var placement = ComplicationPlacement.none
    /// True when the watch is in range as far as people are concerned.
    var isNear = false
    var budgets: LaneBudgets
    /// Milliseconds since the start.
    private(set) var now: Int64 = 0
    private(set) var events = 0
    /// Counts links; nil while the watch is away.
    var link: Int?
    private var queue: [(time: Int64, order: Int, event: Event)] = []
    private var order = 0
    private var air: Air

    /// The air between both devices.
    private struct Air {
        var links = 0
        var weather: SeededRandom
        var lastArrival: [Int64] = [0, 0]
    }

    init(_ plan: Plan, _ lanes: LanePlan, trace: Trace) throws(CompanionError) {
        self.plan = plan
        self.lanes = lanes
        self.trace = trace
        air = Air(weather: SeededRandom(seed: plan.seed).fork("weather"))
        budgets = LaneBudgets(lanes.switches.budget)
        for index in 0..<2 {
            ends.append(try LaneEnd(index, lanes.switches, salt: plan.seed &+ UInt64(index)))
        }
    }

    var moment: Moment {
        Moment(wallMilliseconds: 1_800_000_000_000 + now, uptimeMilliseconds: 1 + now)
    }

    func run() throws {
        record()
        for index in 0..<2 {
            try give(index, .environment(.paired(ends[1 - index].device)))
            try launch(index, .foreground)
        }
        for (index, action) in plan.actions.enumerated() where action.time < plan.duration {
            schedule(.action(index), at: action.time)
        }
        try run(until: plan.duration)
        try heal()
    }

    // MARK: Time

    func schedule(_ event: Event, at time: Int64) {
        order += 1
        var (low, high) = (0, queue.count)
        // Ascending from the end: the next event is taken from there.
        while low < high {
            let middle = (low + high) / 2
            if (queue[middle].time, queue[middle].order) > (time, order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        queue.insert((time, order, event), at: low)
    }

    private func run(until end: Int64) throws {
        while let next = queue.last, next.time <= end {
            queue.removeLast()
            now = max(now, next.time)
            events += 1
            // A step that breaks an invariant is looked at, too.
            defer { record() }
            try handle(next.event)
        }
        now = end
    }

    /// Lets the recorder of a story see both devices.
    private func record() {
        guard let recorder = trace.recorder else { return }
        for end in ends {
            recorder.appear(end.index, end.index == 0 ? "phone" : "watch", now)
            recorder.setProcess(
                end.index,
                end.isDead ? "off" : end.unlockTime != nil ? "locked" : "running", now)
        }
        recorder.lookAtFaults(coverage, now)
    }

    private func handle(_ event: Event) throws {
        switch event {
        case .action(let index):
            guard case .lane(let step) = plan.actions[index].kind else { return }
            trace.action(now, plan.actions[index])
            try perform(step, salt: plan.actions[index].salt)
        case .arrival(let to, let frame, let link):
            guard link == self.link else { return }
            trace.arrival(now, from: 1 - to, to: to, frame)
            try give(to, .frame(from: ends[1 - to].device, frame))
        case .deadline(let index):
            guard ends[index].deadline == now else { return }
            ends[index].deadline = nil
            try give(index, .deadline)
        case .launch(let index, let life):
            guard ends[index].lives == life, !ends[index].machine.appState.isRunning else { return }
            try launch(index, .background)
        case .death(let index): try die(index)
        case .unlock(let index):
            guard ends[index].unlockTime == now else { return }
            ends[index].unlockTime = nil
            try give(index, .environment(.unlocked))
        case .answer(let index, let id, let life):
            guard ends[index].lives == life else { return }
            _ = try? command(index, .reply(to: id, .data(id.installation.array)))
        case .processed(let index, let id, let life):
            guard ends[index].lives == life else { return }
            guard ends[index].machine.appState.isRunning else {
                schedule(event, at: now + 60_000)
                return
            }
            promises.processing(id)
            try give(index, .app(.processed(id)))
        case .completeTask(let index, let id, let life):
            guard ends[index].lives == life else { return }
            _ = try? command(index, .completeTask(id))
        case .input(let index, let input, let life):
            guard ends[index].lives == life else { return }
            try give(index, input)
        }
    }

    // MARK: Inputs

    /// A command that may be refused for the state of the session; true if it was taken.
    func command(_ index: Int, _ command: AppCommand) throws -> Bool {
        do {
            try give(index, .app(command))
            return true
        } catch let error as CompanionError {
            if error == .damagedJournal { throw error }
            return false
        }
    }

    func give(_ index: Int, _ input: CompanionInput) throws {
        let end = ends[index]
        guard !end.isDead else { return }
        let effects = try end.machine.handle(input, at: moment)
        end.commit(effects)
        if end.diesAfterCommit {
            try promises.lost(effects, by: index)
            end.isDead = true
            coverage.happened(.crashAtEffect)
            schedule(.death(index), at: now)
            return
        }
        try perform(effects, of: index)
        try promises.look(at: end, isNear: link != nil)
        try budgets.look(at: end, moment)
        try keepDeadline(of: index)
    }

    private func keepDeadline(of index: Int) throws {
        let end = ends[index]
        guard let next = end.machine.nextDeadlineUptimeMilliseconds else { return }
        guard next > moment.uptimeMilliseconds else {
            throw Violation(.noTraps, "device \(index) waits for a deadline that is over")
        }
        guard end.deadline.map({ $0 > next - 1 }) ?? true else { return }
        end.deadline = next - 1
        schedule(.deadline(index), at: next - 1)
    }

    func launch(_ index: Int, _ state: AppState) throws {
        if state == .notRunning { promises.restarted(index) }
        try give(index, .environment(.app(state)))
        if state.isRunning, ends[index].machine.activationState == .notActivated {
            try give(index, .activate(hasDelegate: true))
        }
    }

    /// The process ends and starts again; the app starts when somebody or something wants it.
    func die(_ index: Int) throws {
        ends[index].isDead = true
        try setRange(isNear: false)
        try ends[index].restart()
        ends[index].deadline = nil
        promises.restarted(index)
        try give(index, .environment(.complication(placement)))
        if ends[index].unlockTime == nil { try give(index, .environment(.unlocked)) }
        try keepDeadline(of: index)
        if isNear { try setRange(isNear: true) }
    }

    func setRange(isNear: Bool) throws {
        guard isNear != (link != nil) else { return }
        if isNear { air.links += 1 }
        link = isNear ? air.links : nil
        trace.recorder?.link(now, 0, 1, isUp: isNear)
        for index in 0..<2 {
            try give(index, .environment(.link(ends[1 - index].device, isUp: isNear)))
        }
    }

    // MARK: Frames

    func send(_ frame: [UInt8], from index: Int) {
        guard let link else { return }
        let to = 1 - index
        let arrival = max(air.lastArrival[to], now + Int64(air.weather.number(in: 5...400)))
        air.lastArrival[to] = arrival
        schedule(.arrival(to: to, frame: frame, link: link), at: arrival)
        if air.weather.chance(lanes.doubled, in: 100) {
            schedule(.arrival(to: to, frame: frame, link: link), at: arrival)
            coverage.happened(.duplicate)
        }
    }

    /// Everything goes well from now on, for as long as a budget may hold anything back.
    private func heal() throws {
        trace.recorder?.phase(
            now, "All defects and budgets end",
            why: "Six quiet hours later nothing may be outstanding.")
        for end in ends {
            end.diesAfterCommit = false
            end.unlockTime = nil
        }
        isNear = true
        try setRange(isNear: true)
        budgets.budget = .unlimited
        promises.faults = []
        for index in 0..<2 {
            ends[index].machine.switches.budget = .unlimited
            try give(index, .environment(.faults([])))
            try give(index, .environment(.unlocked))
            try launch(index, .foreground)
        }
        // A queue that a defect has left stuck moves with the next thing that is queued.
        for index in 0..<2 {
            let step = LaneStep.userInfo(
                device: index, .safety, wantsProcessed: false, bytes: 10)
            try perform(step, salt: UInt64(index))
        }
        for hour in 1...6 {
            try run(until: plan.duration + Int64(hour) * 3_600_000)
            for index in 0..<2 { try launch(index, .foreground) }
        }
        try promises.finish(ends)
    }
}
