import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    func perform(_ action: Action, _ index: Int) throws(Violation) {
        // A copy that could not be made does nothing.
        guard action.kind.devices.allSatisfy({ devices.indices.contains($0) }) else { return }
        trace.action(now, action)
        for device in action.kind.devices {
            try compactSometimes(devices[device], salt: action.salt &+ UInt64(device))
        }
        switch action.kind {
        case .write(let device, let request):
            try write(request, on: devices[device], index, salt: action.salt)
        case .flush(let device): try flush(devices[device])
        case .meet(let left, let right, let lasting, let weather):
            try meet(left, right, lasting: lasting, weather: weather, salt: action.salt)
        case .pair(let newcomer, let member, let way):
            try pair(newcomer, member, way, salt: action.salt)
        case .crash(let device, let point, let downFor):
            try crash(devices[device], point, downFor: downFor)
        case .storm(let device, let times):
            devices[device].fate.isStorming = times
            try crash(devices[device], .now(power: false), downFor: 1)
        case .suspend(let device, let time): suspend(devices[device], for: time)
        case .clock(let device, let change): turn(devices[device], change)
        case .disk(let device, .loss(let loss)):
            try lose(loss, of: devices[device], action.salt)
        case .disk(let device, .failedOpening(let place, let reads)):
            try failOpening(of: devices[device], after: place, reads: reads)
        case .disk(let device, let trouble): trouble.apply(to: devices[device], self, action.salt)
        case .block(let routes, let lasting, let kind):
            coverage.happened(kind)
            network.block(routes)
            disturb(routes)
            queue.schedule(.unblock(routes), at: now + lasting)
        case .backUp(let device): backUp(devices[device])
        case .restore(let device, let way): try restore(devices[device], way)
        case .clone(let device, let withWitness): try clone(devices[device], withWitness)
        case .change(let device, let version): try change(devices[device], to: version)
        case .garbage(let device): try garbage(to: devices[device], salt: action.salt)
        case .replay(let device): try replay(to: devices[device], salt: action.salt)
        case .file(let device, let step): try perform(step, on: devices[device])
        case .editor(let device, let step): try perform(step, on: devices[device])
        case .deed(let device, let deed): try perform(deed, on: devices[device])
        // Worlds of their own play these.
        case .lane, .takeOver, .sabotage, .member: break
        case .widget(let device, let step): try perform(step, on: device)
        }
    }

    private func disturb(_ routes: [Route]) {
        for route in routes {
            for end in devices[route.from].links { network[end]?.meeting?.wasDisturbed = true }
        }
    }

    private func turn(_ device: SimulatedDevice, _ change: ClockChange) {
        switch change {
        case .step(let milliseconds):
            device.clock.step(milliseconds)
            let years = abs(milliseconds) > 200 * 86_400_000
            if now == origin {
                coverage.happened(years ? .skewYears : .skewSeconds)
            } else if plan.leapsClocks {
                coverage.happened(milliseconds > 0 ? .clockLeap : .emptyBattery)
            } else {
                coverage.happened(milliseconds > 0 ? .stepForward : .stepBack)
            }
        case .drift(let perDay):
            coverage.happened(.drift)
            device.clock.drift(perDay: perDay, now: now)
        case .freeze:
            coverage.happened(.frozenClock)
            device.clock.freeze(now: now)
        case .thaw: device.clock.thaw()
        }
    }

    private func suspend(_ device: SimulatedDevice, for time: Int64) {
        guard device.isRunning else { return }
        coverage.happened(time > 300 * 86_400_000 ? .yearOffline : .suspension)
        device.state = .asleep
        for end in device.links { abandon(end) }
        queue.schedule(.resume(device: device.index), at: now + time)
    }

    /// A device wakes: its process is where it was, and learns that its links are gone.
    func resume(_ device: SimulatedDevice) throws(Violation) {
        guard device.state == .asleep else { return }
        device.state = .running
        device.fate.wakeTime = nil
        try feed(device, .deadlineReached)
    }

    private func change(_ device: SimulatedDevice, to version: Int) throws(Violation) {
        guard device.isRunning, version != device.version else { return }
        coverage.happened(version > device.version ? .upgrade : .downgrade)
        try stop(device)
        device.version = version
        inspector.views[device.index].version = version
        try start(device)
    }

    /// A stranger connects and sends bytes that mean nothing.
    private func garbage(to device: SimulatedDevice, salt: UInt64) throws(Violation) {
        guard device.isRunning else { return }
        coverage.happened(.garbage)
        var random = SeededRandom(seed: salt)
        try intrude(on: device) { _ in
            var bytes = random.bytes(random.number(in: 1...600))
            if random.chance(1, in: 2) { bytes = Array("LINNET/1".utf8) + bytes }
            return bytes
        }
    }

    /// A stranger sends again what once went to a device.
    private func replay(to device: SimulatedDevice, salt: UInt64) throws(Violation) {
        let mine = network.recordings.filter { $0.to == device.index }
        guard device.isRunning, !mine.isEmpty else { return }
        coverage.happened(.replay)
        var random = SeededRandom(seed: salt)
        let messages = random.pick(mine).messages
        try intrude(on: device) { index in index < messages.count ? messages[index] : nil }
    }

    private func intrude(
        on device: SimulatedDevice, _ next: (Int) -> [UInt8]?
    ) throws(Violation) {
        let ends = network.connect(device.index, device.index) { left, right in
            let link = NetworkLink(
                peerEnd: right, from: device.index, to: device.index, meeting: nil)
            return (
                link, NetworkLink(peerEnd: left, from: device.index, to: device.index, meeting: nil)
            )
        }
        // The stranger's end exists on no device; what is sent to it goes nowhere.
        network[ends.1] = nil
        device.links.append(ends.0)
        try feed(device, .linkOpened(ends.0, .accepted))
        for index in 0..<12 {
            guard let bytes = next(index), network[ends.0] != nil else { break }
            try feed(device, .received(ends.0, bytes))
        }
        try linkEnded(ends.0)
    }
}
