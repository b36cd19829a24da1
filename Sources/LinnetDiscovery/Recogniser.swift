package import LinnetWire

/// The meaning of an announcement for us.
package enum Recognition: Equatable, Sendable {
    /// A member, which published the tag of this epoch.
    case member(EpochID)
    /// A member whose clock is so many hours ahead of ours (negative: behind).
    case memberWithSkew(EpochID, hours: Int64)
    /// Nobody we know, or not an announcement at all.
    case stranger
}

/// Tells members from strangers by their tags, and keeps false announcements from making us dial
/// for ever.
///
/// An announcement can be repeated by anybody within its hours, and for its own hour always: so
/// an instance is dialled at most three times, unless it proved with the same claims to be a
/// member; then only the caller's pauses limit the dials.
package struct Recogniser: Sendable {
    /// Keys that are tested: of every epoch that a device can hold.
    package static let keysAtMost = Limits.memberRecordsHeld
    /// Dials of one instance that may fail.
    package static let dialsPerInstance = 3

    /// The findings about one instance name.
    private struct Verdict: Equatable {
        var port: UInt16
        var txt: [UInt8]
        var hour: UInt64
        var recognition: Recognition
        var dials = 0
        var isProven = false
        var heardMilliseconds: Int64
    }

    private var keys: [DiscoveryKey] = []
    private var verdicts = OrderedTable<InstanceName, Verdict>()

    /// A recogniser that knows nobody.
    package init() {}

    /// Instances that are remembered.
    package var count: Int { verdicts.count }

    /// Replaces the keys, newest first; those beyond `keysAtMost` are not used.
    package mutating func setKeys(_ keys: [DiscoveryKey]) {
        self.keys = Array(keys.prefix(Self.keysAtMost))
        for name in verdicts.keys {
            // An hour that never is makes the next look a fresh one, and the dials stay counted.
            verdicts[name]?.hour = .max
        }
    }

    /// Returns what an instance is; looks it up again only when its claims, our keys or our hour
    /// changed.
    package mutating func recognise(_ instance: Instance, at now: Moment) -> Recognition {
        let hour = DiscoveryTag.hour(wallMilliseconds: now.wallMilliseconds)
        let known = verdicts[instance.name]
        if let known, known.port == instance.port, known.txt == instance.txt, known.hour == hour {
            return known.recognition
        }
        let recognition = recognise(instance, hour: hour)
        if known == nil { makeRoom() }
        let isSame = known?.port == instance.port && known?.txt == instance.txt
        verdicts[instance.name] = Verdict(
            port: instance.port, txt: instance.txt, hour: hour, recognition: recognition,
            dials: known?.dials ?? 0, isProven: isSame && known?.isProven == true,
            heardMilliseconds: now.uptimeMilliseconds)
        return recognition
    }

    /// True while an instance may be dialled again, as one that was never heard of may.
    package func hasDialsLeft(_ name: InstanceName) -> Bool {
        guard let verdict = verdicts[name] else { return true }
        return verdict.isProven || verdict.dials < Self.dialsPerInstance
    }

    /// The epoch of the tag by which an instance was recognised; nil for a stranger.
    package func epoch(of name: InstanceName) -> EpochID? {
        switch verdicts[name]?.recognition {
        case .member(let epoch), .memberWithSkew(let epoch, _): epoch
        case .stranger, nil: nil
        }
    }

    /// Returns true when a recognised instance may be dialled now, and counts the dial then.
    package mutating func takeDial(_ name: InstanceName) -> Bool {
        guard var verdict = verdicts[name], verdict.recognition != .stranger,
            verdict.isProven || verdict.dials < Self.dialsPerInstance
        else { return false }
        if !verdict.isProven { verdict.dials += 1 }
        verdicts[name] = verdict
        return true
    }

    /// Notes that a dial of the instance ended in an authenticated session.
    package mutating func dialSucceeded(_ name: InstanceName) {
        verdicts[name]?.dials = 0
        verdicts[name]?.isProven = true
    }

    private func recognise(_ instance: Instance, hour: UInt64) -> Recognition {
        guard instance.type == .member, let record = TXTRecord(heard: instance.txt) else {
            return .stranger
        }
        let near = [hour, hour &- 1, hour + 1]
        for key in keys {
            for near in near where isTagged(record, instance, key, near) {
                return .member(key.epoch)
            }
        }
        guard !near.contains(record.hour) else { return .stranger }
        for key in keys where isTagged(record, instance, key, record.hour) {
            return .memberWithSkew(key.epoch, hours: Int64(record.hour) - Int64(hour))
        }
        return .stranger
    }

    private func isTagged(
        _ record: TXTRecord, _ instance: Instance, _ key: DiscoveryKey, _ hour: UInt64
    ) -> Bool {
        record.tags.contains(
            DiscoveryTag.tag(key: key, name: instance.name, port: instance.port, hour: hour))
    }

    /// Drops the oldest stranger, else the oldest member, when the table is full.
    private mutating func makeRoom() {
        guard verdicts.count >= Limits.discoveryInstances else { return }
        let oldest = verdicts.min { left, right in
            let (isLeftMember, isRightMember) = (
                left.value.recognition != .stranger, right.value.recognition != .stranger
            )
            guard isLeftMember == isRightMember else { return isRightMember }
            return left.value.heardMilliseconds < right.value.heardMilliseconds
        }
        if let oldest { verdicts[oldest.key] = nil }
    }
}
