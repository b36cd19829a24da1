import LinnetSystem
import LinnetWire

/// The desk of the directory that phone and watch share: which device is there, and when it is
/// dialled.
struct CompanionDesk: Desk {
    /// The pause after a link that came to nothing; it doubles up to the longest one.
    private static let firstPauseMilliseconds: Int64 = 250
    private static let longestPauseMilliseconds: Int64 = 8_000

    let port: CompanionPort
    /// The time at which it is dialled next, in uptime milliseconds; nil while a link is there.
    private(set) var nextDeadline: Int64?
    private var failures: Int64 = 0
    /// The device that was proven last on a link of the directory.
    private(set) var device: DeviceID?

    init(_ port: CompanionPort, at now: Moment) {
        self.port = port
        nextDeadline = now.uptimeMilliseconds
    }

    /// Dials now, because the other side came or the person asks.
    mutating func hurry(at now: Moment) {
        nextDeadline = now.uptimeMilliseconds
        failures = 0
    }

    /// Returns true when it is time to dial. The next time is set when the link that is tried ends,
    /// or when there is something to say.
    mutating func fire(at now: Moment) -> Bool {
        guard let nextDeadline, nextDeadline <= now.uptimeMilliseconds else { return false }
        self.nextDeadline = nil
        return true
    }

    /// Sets the next time after a pause: there is nobody to dial, or nothing to say.
    mutating func rest(at now: Moment) {
        let pause = min(
            Self.firstPauseMilliseconds << min(failures, 5), Self.longestPauseMilliseconds)
        failures += 1
        nextDeadline = now.uptimeMilliseconds + pause
    }

    /// Notes that a link ended, with the device that was proven on it. A device that another
    /// link connects is not dialled; that is looked at again when the other link ends.
    mutating func linkEnded(with peer: DeviceID?, isConnected: Bool, at now: Moment) {
        if let peer {
            device = peer
            failures = 0
        }
        if isConnected { nextDeadline = nil } else { rest(at: now) }
    }

    /// Notes that the last session with a device ended; if it was the link's, its pause is set
    /// already.
    mutating func disconnected(_ peer: DeviceID, at now: Moment) {
        if peer == device, nextDeadline == nil { hurry(at: now) }
    }
}
