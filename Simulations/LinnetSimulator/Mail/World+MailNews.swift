import LinnetReplication
import LinnetWire

/// A store that tells devices at once of what others put, as a relay of one's own does: its word is
/// a hint, and is lost, said twice and said for nothing.
extension World {
    /// The time after which nobody looks often any more by himself.
    private static let quietMilliseconds: Int64 = 660_000
    /// The requests of a look that leaves something, of one that goes on when that is told, and of
    /// one that takes it.
    private static let requests: Int64 = 48
    /// The time after which a change is left.
    private static let changeMilliseconds: Int64 = 2_000

    /// Tells the others of what a device did.
    func tellNews(of device: Int, isNews: Bool) {
        guard let mail, mail.plan.tells else { return }
        for other in devices where other.index != device {
            for _ in 0..<mail.store.words(isNews: isNews, &coverage) {
                queue.schedule(
                    .mailNews(device: other.index, life: other.lives), at: now + mail.answerTime())
            }
        }
    }

    /// A device is told that there is something new.
    func hearNews(_ device: SimulatedDevice, _ life: Int) throws(Violation) {
        guard device.lives == life, let id = device.replica?.mailboxes.first?.id else { return }
        // A machine that sleeps hears it when it wakes, once for all that it was told meanwhile.
        guard device.state != .asleep else {
            guard let time = mail?.nextWord(to: device.index, life, at: now) else { return }
            return queue.schedule(.mailNews(device: device.index, life: life), at: time)
        }
        coverage.reached(.newsHeard)
        try feed(device, .mailNews(id))
    }

    /// Once all is quiet, lets each device write in turn: the others have to show it at once,
    /// though nobody has them look.
    func takeAtOnce() throws {
        guard let mail, mail.plan.tells, let workload = plan.workload else { return }
        let patience =
            Self.changeMilliseconds + Self.requests * Int64(mail.plan.slowest)
        trace.recorder?.phase(
            now, "A store that tells of changes",
            why: "What one device writes shows on all within \(patience) ms.")
        for device in devices where device.isRunning {
            try run(until: now + Self.quietMilliseconds)
            var random = device.random.fork("news", Int(now))
            guard let write = workload.writeBeside(&random) else { return }
            try commit([write], intent: nil, relaxed: false, on: device)
            try run(until: now + patience)
            if let (message, devices) = difference() {
                throw LivenessFailure(
                    message: "\(patience) ms after a change that a store told of, \(message)",
                    devices: devices)
            }
        }
    }
}
