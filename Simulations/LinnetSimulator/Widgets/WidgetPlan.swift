import LinnetFaces

/// The decisions of a seed of the scenario `widget` beside its actions.
struct WidgetPlan: Sendable {
    /// The time after which an app that runs leaves a snapshot although nothing changed; nil for
    /// never.
    var publishesEvery: Int64?
    /// For how long snapshots hold.
    var validFor: Int64 = FaceSnapshot.validMilliseconds
    /// Of a hundred requests, how many a widget's process does not answer.
    var silent = 0
    var limits = WidgetLimits()
}

extension PlanMaker {
    private static let minute: Int64 = 60_000

    /// People who have widgets, look at them, and use the app now and then.
    mutating func drawWidgets() {
        var random = SeededRandom(seed: seed).fork(scenario.name).fork("widgets")
        var widgets = WidgetPlan()
        widgets.publishesEvery = random.pick([nil, 20, 60, 120] as [Int64?]).map {
            $0 * Self.minute
        }
        widgets.validFor = random.pick([1_440, 1_440, 120, 25]) * Self.minute
        if profile.has(.silentProvider) { widgets.silent = random.pick([3, 30]) }
        if random.chance(1, in: 4) { widgets.limits.closeEntries = .show }
        if random.chance(1, in: 4) { widgets.limits.afterReboot = .placeholder }
        plan.widgets = widgets
        for device in 0..<plan.devices {
            for _ in 0...random.below(2) {
                add(.widget(device: device, .add(configuration(&random))), at: 60_000)
            }
            drawWidgetDays(of: device, &random)
            drawWidgetFaults(of: device, &random)
        }
        // Some open the app just when the time is over to which they put a dose off.
        var late = SeededRandom(seed: seed).fork(scenario.name).fork("snoozes")
        for action in plan.actions {
            guard case .deed(let device, let deed) = action.kind, case .snooze = deed.kind,
                late.chance(1, in: 2)
            else { continue }
            let time = action.time + Int64(late.number(in: 610_000...1_400_000))
            add(.widget(device: device, .app(isInForeground: true)), at: time)
            add(.widget(device: device, .app(isInForeground: false)), at: time + 20_000)
        }
    }

    private func configuration(_ random: inout SeededRandom) -> WidgetConfiguration {
        let kind = random.pick([FaceKind.nextDose, .nextDose, .adherence])
        return WidgetConfiguration(
            kind: kind.rawValue, family: .small,
            place: random.pick([.screen, .screen, .watchFace]),
            viewing: random.pick([.frequent, .frequent, .rare]))
    }

    private mutating func drawWidgetDays(of device: Int, _ random: inout SeededRandom) {
        let isBusy = random.chance(1, in: 4)
        var time = Int64(random.below(7_200_000))
        while time < plan.duration {
            let lasting = Int64(random.number(in: 5_000...1_200_000))
            switch random.below(10) {
            case 0...2:
                add(.widget(device: device, .app(isInForeground: true)), at: time)
                add(.widget(device: device, .app(isInForeground: false)), at: time + lasting)
            case 3:
                add(.widget(device: device, .session(isActive: true)), at: time)
                add(.widget(device: device, .session(isActive: false)), at: time + lasting)
            case 4: add(.widget(device: device, .intent(random.below(2))), at: time)
            case 5...6: add(.widget(device: device, .view(random.below(2))), at: time)
            case 7:
                let change = random.pick(WidgetSurroundings.allCases)
                add(.widget(device: device, .changed(change)), at: time)
            default: add(.widget(device: device, .push), at: time)
            }
            time += Int64(random.number(in: 60_000...(isBusy ? 900_000 : 10_000_000)))
        }
    }

    private mutating func drawWidgetFaults(of device: Int, _ random: inout SeededRandom) {
        let kinds: [FaultKind] = [
            .reboot, .snapshotDamaged, .snapshotOfAnotherHome, .snapshotPutBack,
        ]
        for kind in kinds where profile.has(kind) {
            for _ in 0..<profile.count(kind) {
                let time = Int64(random.below(Int(plan.duration)))
                let lockedFor = Int64(random.below(8_000_000))
                add(
                    .widget(
                        device: device,
                        kind == .reboot ? .reboot(lockedFor: lockedFor) : .spoil(kind)),
                    at: time)
            }
        }
    }
}
