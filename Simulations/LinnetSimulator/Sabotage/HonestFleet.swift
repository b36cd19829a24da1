import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Judges what honest devices go through beside one that means harm.
struct HonestFleet {
    /// The memory that a device may hold at rest, in bytes.
    static let memory = 64 << 20
    /// The bytes of a disk for each byte that was sent, or to which that opens.
    static let diskFactor = 8
    /// The bytes of a disk that the fleet's own writes may take.
    static let ownDisk = 32 << 20

    /// The number of sessions that ended so that nodes dial again.
    var endsToReopen = 0
    /// True when an admin signed what keeps everybody from admitting devices, as it may.
    var isFrozen = false
    private let honest: Int
    /// The last batch of each chain that was acknowledged to its writer.
    private var promised: [ChainKey: UInt64] = [:]
    /// The lives of honest devices.
    private var lives: [DeviceID: Set<Incarnation>] = [:]

    init(honest: Int) { self.honest = honest }

    mutating func hear(
        _ event: Event, on device: Int, isBetweenHonest: Bool
    ) throws(Violation) {
        switch event {
        case .warning(.incarnationRotated(let reason)) where !reason.contains("witness"):
            throw Violation(
                .memberStopsNobody, "an honest device began another life: \(reason)",
                devices: [device])
        case .storeFailed(let error):
            throw Violation(
                .memberStopsNobody, "a store failed: \(error)", devices: [device])
        case .sessionClosed(_, _, let reason) where isBetweenHonest:
            switch reason {
            case .normal, .pskMismatch: endsToReopen += 1
            case .protocolViolation, .denied, .unknownPeer, .removed, .handshakeFailed:
                throw Violation(
                    .memberStopsNobody, "a session of two honest devices ended: \(reason)",
                    devices: [device])
            default: break
            }
        default: break
        }
    }

    /// Notes what a device holds of itself after a write that was acknowledged.
    mutating func noteWritten(_ entries: [VectorEntry], by device: Int, named own: DeviceID?) {
        guard device < honest else { return }
        for entry in entries where entry.device == own {
            promised[ChainKey(scope: entry.scope, chain: entry.chain)] = entry.seq
        }
    }

    /// Notes the life that a device writes in.
    mutating func noteLife(_ life: Incarnation?, of own: DeviceID?) {
        guard let life, let own else { return }
        lives[own, default: []].insert(life)
    }

    /// Forgets a device that is honest no more.
    mutating func forgetLives(of device: DeviceID) { lives[device] = nil }

    /// Nobody wrote in the name of an honest device.
    func checkNames(_ entries: [VectorEntry], on device: Int) throws(Violation) {
        for entry in entries {
            guard let known = lives[entry.device], !known.contains(entry.incarnation) else {
                continue
            }
            throw Violation(
                .memberStopsNobody, "somebody wrote in the name of an honest device",
                devices: [device])
        }
    }

    /// Everything that was acknowledged to an honest writer shows.
    func checkNothingLost(_ entries: [VectorEntry], on device: Int) throws(Violation) {
        var shown: [ChainKey: UInt64] = [:]
        for entry in entries {
            shown[ChainKey(scope: entry.scope, chain: entry.chain)] = entry.visible
        }
        for (key, seq) in promised where shown[key] ?? 0 < seq {
            throw Violation(
                .nothingIsLost, "\(shown[key] ?? 0) of \(seq) batches of an honest device show",
                devices: [device])
        }
    }

    func checkMemory(_ bytes: Int, of device: Int) throws(Violation) {
        guard bytes > Self.memory else { return }
        throw Violation(
            .costsAreBounded, "a process held \(bytes >> 20) MiB", devices: [device])
    }

    func checkWaiting(_ pending: Totals, on device: Int) throws(Violation) {
        guard pending.bytes > Limits.pendingBytes else { return }
        throw Violation(
            .costsAreBounded, "\(pending.bytes) bytes wait for a predecessor", devices: [device])
    }

    /// - Parameter received: the bytes of the one that means harm, as they crossed or opened.
    func checkDisk(_ bytes: Int, received: Int, of device: Int) throws(Violation) {
        let allowed = Self.diskFactor * received + Self.ownDisk
        guard bytes > allowed else { return }
        throw Violation(
            .costsAreBounded, "\(bytes) bytes on disk for \(received) that came",
            devices: [device])
    }
}
