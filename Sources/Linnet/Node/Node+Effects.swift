import LinnetReplication
import LinnetSystem

extension Node {
    /// Hands an input to the replica after the call under way, and carries out the effects that it
    /// answers with.
    func feed(_ input: Input) {
        calls.add(input)
        drain()
    }

    /// Carries out effects of a call other than `handle`, in their order.
    func perform(_ more: [Effect]) {
        calls.add(more)
        drain()
    }

    /// Carries out effects and handles inputs until none is left, then sets the timer.
    ///
    /// A carrier may fail inside an effect. Its input waits until the effects before it are carried
    /// out, because bytes of one link must leave in the order of their encryption.
    func drain() {
        guard calls.begin() else { return }
        while replica != nil, let work = calls.next() {
            switch work {
            case .perform(let effects): effects.forEach(perform)
            case .handle(let input):
                calls.add(replica?.handle(input, at: SystemClock.now()) ?? [])
                showExchange()
            }
        }
        calls.end()
        meetStumble()
        followWarningsWhenDue()
        obeyWhenHeard(at: SystemClock.now())
        settle()
    }

    private func perform(_ effect: Effect) {
        // After a failure nothing is sent or told that was not kept.
        if calls.hasStumbled { return }
        switch effect {
        case .send(let link, let bytes):
            connections.links.count(sent: bytes.count, on: link)
            connections.links[link]?.carrier.send(bytes)
        case .close(let link):
            connections.links[link]?.carrier.closeAfterFlush()
        case .notify(let event):
            note(event)
        case .lane(let effect):
            performLane(effect)
        case .mail(let effect):
            perform(effect)
        case .witness(let mark):
            remember(mark)
        }
    }

    /// Writes the mark before the sends that follow it; without it the node must not speak.
    private func remember(_ mark: WitnessMark) {
        if unwritable != nil { return }
        do {
            try homeDesk.witness.remember(mark)
        } catch {
            let problem = DiskProblem.behind(.home(error), in: home) ?? error
            stumble(.home(problem), mayPass: true)
        }
    }

    /// Makes relaxed writes durable; they are sent then.
    func flush() {
        upkeep.flushed()
        do {
            perform(try replica?.flush(at: SystemClock.now()) ?? [])
        } catch {
            if case .storage(let failure) = error { return stumble(failure) }
            shutDown(reason: LinnetError(error).description)
        }
    }
}
