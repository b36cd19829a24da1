import LinnetCrypto
import LinnetSystem
import LinnetWire

/// The desk of the connections that this node opens.
struct DialDesk: ~Copyable, Desk {
    private(set) var plan = DialPlan()
    private var dials: [AttemptID: TCPDial] = [:]
    private var entropy: Entropy

    init(_ entropy: consuming Entropy) { self.entropy = entropy }

    var nextDeadline: Int64? { plan.nextDeadline }

    mutating func fire(at now: Moment) -> [DialAction] { plan.actions(at: now, entropy: &entropy) }

    /// Changes the plan of dialling.
    mutating func change(_ body: (inout DialPlan) -> Void) { body(&plan) }

    mutating func began(_ attempt: AttemptID, _ dial: TCPDial) { dials[attempt] = dial }

    mutating func abandon(_ attempt: AttemptID) { dials.removeValue(forKey: attempt)?.cancel() }

    mutating func resolved(_ target: DialTarget, _ addresses: [SocketAddress], at now: Moment) {
        plan.resolved(target, addresses, at: now, entropy: &entropy)
    }

    /// Notes that a connection is open; returns its target, or nil when another one was first.
    mutating func connected(_ attempt: AttemptID) -> DialTarget? {
        dials[attempt] = nil
        let target = plan.target(of: attempt)
        return plan.connected(attempt) ? target : nil
    }

    mutating func failed(_ attempt: AttemptID, at now: Moment) {
        dials[attempt] = nil
        plan.failed(attempt, at: now, entropy: &entropy)
    }

    mutating func reachedItself(_ attempt: AttemptID, _ address: SocketAddress, at now: Moment) {
        plan.reachedItself(attempt, address, at: now, entropy: &entropy)
    }

    mutating func deviceDisconnected(_ device: DeviceID, at now: Moment) {
        plan.deviceDisconnected(device, at: now, entropy: &entropy)
    }

    /// Stops looking for devices that show a pairing code.
    mutating func stopPairing() {
        for target in plan.targets {
            if case .pairing = target { plan.remove(target) }
        }
    }

    /// Gives up all attempts and forgets all targets.
    mutating func stop() {
        for dial in dials.values { dial.cancel() }
        dials = [:]
        plan = DialPlan()
    }
}
