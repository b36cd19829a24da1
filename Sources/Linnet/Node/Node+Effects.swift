import LinnetReplication
import LinnetWire

extension Node {
    /// Hands an input to the replica and performs what it answers, after the call under way.
    func feed(_ input: Input) {
        inputs.append(input)
        drain()
    }

    /// Performs effects of a call other than `handle`, in their order.
    func perform(_ more: [Effect]) {
        effects += more
        drain()
    }

    /// Performs effects and handles inputs until none is left, then sets the timer.
    ///
    /// A carrier may fail inside an effect; its input waits until the effects before it are
    /// performed, because bytes of one link must leave in the order of their encryption.
    func drain() {
        guard !isPerforming else { return }
        isPerforming = true
        while replica != nil, stumbled == nil {
            if !effects.isEmpty {
                let batch = effects
                effects = []
                batch.forEach(perform)
            } else if !inputs.isEmpty {
                let input = inputs.removeFirst()
                effects += replica?.handle(input, at: SystemClock.now()) ?? []
                showExchange()
            } else {
                break
            }
        }
        isPerforming = false
        meetStumble()
        followWarningsWhenDue()
        settle()
    }

    private func perform(_ effect: Effect) {
        // After a failure nothing more is said of what was not kept.
        guard stumbled == nil else { return }
        switch effect {
        case .send(let link, let bytes):
            links[link]?.carrier.send(bytes)
        case .close(let link):
            links[link]?.carrier.closeAfterFlush()
        case .notify(let event):
            note(event)
        case .lane(let effect):
            performLane(effect)
        case .witness(let mark):
            remember(mark)
        }
    }

    /// The mark is written before the sends that follow it; without it the node must not speak.
    private func remember(_ mark: WitnessMark) {
        if unwritable != nil { return }
        do {
            try witness.remember(mark)
        } catch {
            let problem = DiskProblem.behind(.home(error), in: home) ?? error
            stumble(.home(problem), mayPass: true)
        }
    }

    /// Does what is due without an input, and sets the one timer to what is due next.
    func settle() {
        if outage != nil { return setTimer([outage?.next]) }
        guard replica != nil else { return }
        runPlan()
        runCompanion()
        if synchronisation.isWaiting, let inStep = replica?.devicesInStep {
            synchronisation.check(connected: connectedDevices, inStep: inStep)
        }
        if certification.isWaiting, replica?.devicesAwaited.isEmpty == true {
            certification.finish(.success(()))
        }
        setTimer([
            replica?.nextDeadline, plan.nextDeadline, flushDeadline, discovery?.nextDeadline,
            pairing?.nextDeadline, synchronisation.deadline, companionDesk?.nextDeadline,
            roleDeadline, certification.deadline,
        ])
    }

    private func setTimer(_ deadlines: [Int64?]) {
        guard let next = deadlines.compactMap(\.self).min() else {
            if let timer { loop.cancel(timer.id) }
            timer = nil
            return
        }
        guard timer?.deadline != next else { return }
        if let timer { loop.cancel(timer.id) }
        let id = loop.schedule(at: next) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        timer = (id, next)
    }

    private func timerFired() {
        timer = nil
        let now = SystemClock.now()
        let uptime = now.uptimeMilliseconds
        if let next = outage?.next {
            if next <= uptime { tryAgain() }
            return settle()
        }
        if let deadline = flushDeadline, deadline <= uptime { flush() }
        if let deadline = discovery?.nextDeadline, deadline <= uptime { announce() }
        if let deadline = pairing?.nextDeadline, deadline <= uptime { pairingDeadlineReached() }
        if let deadline = synchronisation.deadline, deadline <= uptime {
            expireSynchronisation(at: uptime)
        }
        if let deadline = roleDeadline, deadline <= uptime { followRole() }
        if let deadline = certification.deadline, deadline <= uptime {
            let awaited = replica?.devicesAwaited ?? []
            certification.expire(
                at: uptime, why: awaited.map { "\(named($0).label) has signed nothing yet" })
        }
        if let deadline = replica?.nextDeadline, deadline <= uptime { feed(.deadlineReached) }
        settle()
    }

    /// Makes relaxed writes durable; they are sent then.
    func flush() {
        flushDeadline = nil
        do {
            perform(try replica?.flush(at: SystemClock.now()) ?? [])
        } catch {
            if case .storage(let failure) = error { return stumble(failure) }
            shutDown(reason: LinnetError(error).description)
        }
    }
}
