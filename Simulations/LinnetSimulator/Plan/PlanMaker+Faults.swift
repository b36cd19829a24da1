extension PlanMaker {
    mutating func drawFaults() {
        for kind in scenario.faults where profile.has(kind) {
            for _ in 0..<profile.count(kind) { draw(kind) }
        }
    }

    private mutating func draw(_ kind: FaultKind) {
        switch kind {
        case .partition, .oneWayPartition, .bridgePartition, .clog: drawPartition(kind)
        case .garbage: add(.garbage(device: device()), at: moment())
        case .replay: add(.replay(device: device()), at: plan.duration / 2 + moment() / 2)
        case .skewSeconds, .skewYears, .drift, .stepForward, .stepBack, .frozenClock:
            drawClock(kind)
        case .crashAtEffect, .crashAtDiskCall, .processKill, .powerCut, .restartStorm, .suspension,
            .lostWrites, .tornWrite, .yearOffline:
            drawProcess(kind)
        case .syncFailure, .writeError, .readError, .diskFull, .bitRot, .failedOpening:
            drawDisk(kind)
        case .clockLeap: drawLeap()
        case .emptyBattery: drawEmptyBattery()
        case .lostBatches: drawLoss()
        case .restoreWithWitness, .restoreWithoutWitness, .rollback, .cloneWithWitness,
            .cloneWithoutWitness:
            drawIdentity(kind)
        default: break
        }
    }

    private mutating func drawPartition(_ kind: FaultKind) {
        var routes: [Route] = []
        var side: [Bool] = []
        for _ in 0..<plan.devices { side.append(random.chance(1, in: 2)) }
        let bridge = device()
        let (left, right) = pair()
        for from in 0..<plan.devices {
            for to in 0..<plan.devices where from != to {
                let isCut =
                    switch kind {
                    case .partition: side[from] != side[to]
                    case .oneWayPartition: side[from] && !side[to]
                    case .bridgePartition: from != bridge && to != bridge
                    default: [left, right].contains(from) && [left, right].contains(to)
                    }
                if isCut { routes.append(Route(from: from, to: to)) }
            }
        }
        guard !routes.isEmpty else { return }
        let lasting =
            kind == .clog
            ? random.number(in: 100...60_000) : random.number(in: 60_000...400_000_000)
        add(.block(routes, lasting: Int64(lasting), kind), at: moment())
    }

    private mutating func drawClock(_ kind: FaultKind) {
        let device = device()
        let year = 365 * Int(Self.day)
        switch kind {
        case .skewSeconds:
            add(.clock(device: device, .step(signed(1_000...7_200_000))), at: 0)
        case .skewYears:
            add(.clock(device: device, .step(signed(year...10 * year))), at: 0)
        case .drift:
            add(.clock(device: device, .drift(signed(100...60_000))), at: moment())
        case .stepForward, .stepBack:
            let size = Int64(random.pick([2_000, 3_600_000, 40 * Int(Self.day), 5 * year]))
            add(
                .clock(device: device, .step(kind == .stepForward ? size : -size)),
                at: 1 + moment())
        default:
            let time = moment()
            add(.clock(device: device, .freeze), at: time)
            add(.clock(device: device, .thaw), at: time + moment() / 4)
        }
    }

    private mutating func signed(_ range: ClosedRange<Int>) -> Int64 {
        let size = Int64(random.number(in: range))
        return random.chance(1, in: 2) ? size : -size
    }

    private mutating func drawProcess(_ kind: FaultKind) {
        let device = device()
        let time = moment()
        let downFor = Int64(random.pick([10, 1_000, 60_000, 30_000_000]))
        switch kind {
        case .processKill:
            add(.crash(device: device, .now(power: false), downFor: downFor), at: time)
        case .powerCut, .lostWrites, .tornWrite:
            add(.crash(device: device, .now(power: true), downFor: downFor), at: time)
            // Often just after somebody made sure that nothing can be lost.
            if profile.has(.relaxedWrite), random.chance(1, in: 2), time > 2_000 {
                var request = scenario.workload.write(&random, size: .few)
                request.isRelaxed = true
                add(.write(device: device, request), at: time - 2_000)
                add(.flush(device: device), at: time - 1_000)
            }
        case .crashAtEffect:
            let point = CrashPoint.effect(random.below(12), power: random.chance(1, in: 2))
            add(.crash(device: device, point, downFor: downFor), at: time)
        case .crashAtDiskCall:
            add(
                .crash(device: device, .diskCall(random.number(in: 1...120)), downFor: downFor),
                at: time)
        case .restartStorm:
            add(.storm(device: device, random.number(in: 3...12)), at: time)
        case .yearOffline:
            add(.suspend(device: device, 366 * Self.day), at: time)
        default:
            add(
                .suspend(device: device, Int64(random.number(in: 100_000...90 * Int(Self.day)))),
                at: time)
        }
    }

    private mutating func drawDisk(_ kind: FaultKind) {
        let device = device()
        let time = moment()
        let calls = random.number(in: 1...40)
        switch kind {
        case .syncFailure: add(.disk(device: device, .syncFailure(calls)), at: time)
        case .writeError: add(.disk(device: device, .writeError(calls)), at: time)
        case .readError: add(.disk(device: device, .readError(calls)), at: time)
        case .diskFull:
            add(.disk(device: device, .full(afterBytes: random.below(100_000))), at: time)
            add(.disk(device: device, .empty), at: time + Int64(random.below(Int(Self.day))))
        case .failedOpening:
            let reads = random.pick([1, 1, 2, 5, 30])
            add(
                .disk(device: device, .failedOpening(after: random.below(1_000), reads: reads)),
                at: time)
        default: add(.disk(device: device, .rot), at: time)
        }
    }

    private mutating func drawIdentity(_ kind: FaultKind) {
        let device = device()
        let time = moment()
        switch kind {
        case .cloneWithWitness: add(.clone(device: device, withWitness: true), at: time)
        case .cloneWithoutWitness: add(.clone(device: device, withWitness: false), at: time)
        default:
            let way: RestoreWay =
                switch kind {
                case .restoreWithWitness: .newerWitness
                case .restoreWithoutWitness: .withoutWitness
                default: .wholeMachine
                }
            add(.backUp(device: device), at: time)
            let later = time + 1 + Int64(random.below(Int(max(1, plan.duration - time))))
            add(.restore(device: device, way), at: later)
        }
    }

    mutating func drawApplication() {
        for (kind, step) in [(FaultKind.upgrade, 1), (.downgrade, -1)] where profile.has(kind) {
            for _ in 0..<profile.count(kind) {
                let device = device()
                let version = step > 0 ? plan.schemas.count - 1 : 0
                add(.change(device: device, version: version), at: moment())
            }
        }
    }
}
