/// Leaves out of a failing plan whatever the failure does not need: coarse cuts first, then delta
/// debugging (Zeller and Hildebrandt, IEEE TSE 28(2), 2002).
struct Minimiser {
    /// The facts that must stay the same: the kind of verdict and the invariant.
    private enum Verdict: Equatable {
        case ok, liveness
        case invariant(Invariant)

        init(_ result: Outcome.Result) {
            switch result {
            case .ok: self = .ok
            case .liveness: self = .liveness
            case .invariant(let violation): self = .invariant(violation.invariant)
            }
        }
    }

    /// The smallest failing plan so far.
    private(set) var plan: Plan
    /// The number of times that a plan was run.
    private(set) var runs = 0
    private let runsMaximum: Int
    private let wanted: Verdict
    private let run: (Plan) -> Outcome

    /// Starts from a failing plan and what it came to.
    init(
        _ plan: Plan, outcome: Outcome, runs: Int,
        run: @escaping (Plan) -> Outcome = { Simulation.run($0) }
    ) {
        self.plan = plan
        self.run = run
        runsMaximum = runs
        wanted = Verdict(outcome.result)
        failedAt = outcome.milliseconds
    }

    private let failedAt: Int64

    /// Shrinks as far as the number of runs allows.
    mutating func shrink() {
        guard wanted != .ok else { return }
        cutWindow()
        cutDevices()
        cutKinds()
        cutDevices()
        cutActions()
        calmMeetings()
        cutWindow()
    }

    /// Keeps a smaller plan when it fails in the same way.
    private mutating func keep(_ candidate: Plan) -> Bool {
        guard runs < runsMaximum else { return false }
        runs += 1
        guard Verdict(run(candidate).result) == wanted else { return false }
        plan = candidate
        return true
    }

    /// Leaves out all that comes after the failure, which cannot matter, and a quiet end.
    private mutating func cutWindow() {
        var candidate = plan
        candidate.actions.removeAll { $0.time > failedAt }
        if candidate.actions.count < plan.actions.count { _ = keep(candidate) }
        candidate = plan
        candidate.duration = min(plan.duration, (plan.actions.last?.time ?? 0) + 1)
        if candidate.duration < plan.duration { _ = keep(candidate) }
    }

    /// Devices that the failure does not need do nothing, or do not exist when they are the last.
    private mutating func cutDevices() {
        for device in (0..<plan.devices).reversed() {
            var candidate = plan
            candidate.actions.removeAll { $0.kind.devices.contains(device) }
            let isLast = device == plan.devices - 1 && device > 1
            if isLast {
                candidate.devices -= 1
                candidate.versions.removeLast()
                candidate.lateJoiners = max(0, plan.lateJoiners - 1)
                if keep(candidate) { continue }
            }
            candidate.devices = plan.devices
            candidate.versions = plan.versions
            candidate.lateJoiners = plan.lateJoiners
            if candidate.actions.count < plan.actions.count { _ = keep(candidate) }
        }
    }

    /// Whole kinds of faults are left out, one after the other.
    private mutating func cutKinds() {
        for family in Action.Family.allCases where family != .write && family != .meet {
            var candidate = plan
            candidate.actions.removeAll { $0.kind.family == family }
            if candidate.actions.count < plan.actions.count { _ = keep(candidate) }
        }
        calmMeetings()
    }

    /// Good weather for all.
    private mutating func calmMeetings() {
        var candidate = plan
        var changed = false
        for index in candidate.actions.indices {
            guard
                case .meet(let left, let right, let lasting, let weather) =
                    candidate.actions[index].kind, !weather.isCalm
            else { continue }
            candidate.actions[index].kind = .meet(left, right, lasting: lasting, .calm)
            changed = true
        }
        if changed { _ = keep(candidate) }
    }

    /// ddmin: leaves out ever smaller parts.
    private mutating func cutActions() {
        var parts = 2
        while plan.actions.count >= 2, runs < runsMaximum {
            let size = (plan.actions.count + parts - 1) / parts
            var isSmaller = false
            var start = 0
            while start < plan.actions.count, runs < runsMaximum {
                var candidate = plan
                let end = min(start + size, plan.actions.count)
                candidate.actions.removeSubrange(start..<end)
                if keep(candidate) {
                    isSmaller = true
                } else {
                    start = end
                }
            }
            if isSmaller {
                parts = max(2, min(parts - 1, plan.actions.count))
            } else if size == 1 {
                return
            } else {
                parts = min(parts * 2, plan.actions.count)
            }
        }
    }
}

extension Action {
    /// Kinds of actions that can be left out together.
    enum Family: CaseIterable {
        case write, flush, meet, pair, crash, storm, suspend, clock, disk, block, backUp, restore
        case clone, change, garbage, replay, deed, lane, widget, takeOver, sabotage, member
        case file, editor
    }
}

extension Action.Kind {
    var family: Action.Family {
        switch self {
        case .write: .write
        case .flush: .flush
        case .meet: .meet
        case .pair: .pair
        case .crash: .crash
        case .storm: .storm
        case .suspend: .suspend
        case .clock: .clock
        case .disk: .disk
        case .block: .block
        case .backUp: .backUp
        case .restore: .restore
        case .clone: .clone
        case .change: .change
        case .garbage: .garbage
        case .replay: .replay
        case .deed: .deed
        case .lane: .lane
        case .widget: .widget
        case .takeOver: .takeOver
        case .sabotage: .sabotage
        case .member: .member
        case .file: .file
        case .editor: .editor
        }
    }

    /// The devices that it happens to.
    var devices: [Int] {
        switch self {
        case .write(let device, _), .flush(let device), .crash(let device, _, _),
            .storm(let device, _), .suspend(let device, _), .clock(let device, _),
            .disk(let device, _), .backUp(let device), .restore(let device, _),
            .clone(let device, _), .change(let device, _), .garbage(let device),
            .replay(let device), .deed(let device, _), .widget(let device, _),
            .takeOver(let device), .sabotage(_, let device), .file(let device, _),
            .editor(let device, _):
            [device]
        case .meet(let left, let right, _, _): [left, right]
        case .pair(let newcomer, let member, _): [newcomer, member]
        case .lane: []
        case .member(let step): step.devices
        case .block(let routes, _, _): routes.flatMap { [$0.from, $0.to] }
        }
    }
}
