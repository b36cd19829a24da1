package import LinnetWire

/// An active device of the group.
package struct Member: Equatable, Sendable {
    /// Its keys.
    package let certificate: Certificate
    /// The member's role.
    package let role: Role
    /// The record that admitted it.
    package let admission: MemberRecordID

    /// Its name.
    package var device: DeviceID { certificate.device }
}

/// An epoch as the log tells of it.
package struct Epoch: Equatable, Sendable {
    /// The record that started it.
    package let id: EpochID
    /// The device that drew its keys.
    package let author: DeviceID
    /// Its number, commitments, boxes and wrapped keys.
    package let payload: EpochPayload

    /// Higher numbers are newer.
    package var number: UInt64 { payload.number }

    /// Returns true when an epoch counts as newer than another: it has the higher number, or the
    /// same and the lower identifier.
    static func isNewer(_ first: Epoch, than second: Epoch) -> Bool {
        first.number == second.number ? first.id < second.id : first.number > second.number
    }
}

/// The state of a set of records that contains all its own ancestors: a function of the set alone.
package struct MembershipState: Equatable, Sendable {
    /// The active devices in order of admission.
    package private(set) var members: [Member] = []
    /// The recovery key, if the group has one.
    package private(set) var recovery: Certificate?
    /// Every epoch, newest first.
    package private(set) var epochs: [Epoch] = []
    /// True when a record of the set says something that only a later version understands.
    package private(set) var upgradeNeeded = false

    /// Nothing yet.
    init() {}

    /// The newest epoch, under which new batches are encrypted.
    package var currentEpoch: Epoch? { epochs.first }

    /// The oldest epoch, whose data key names the scopes.
    package var firstEpoch: Epoch? {
        let first = epochs.last?.number
        return epochs.first { $0.number == first }
    }

    /// The active member of this name.
    package func member(_ device: DeviceID) -> Member? {
        members.first { $0.device == device }
    }

    /// The active member that proves itself by this handshake key.
    package func member(noiseKey: Bytes32) -> Member? {
        members.first { $0.certificate.noiseKey == noiseKey }
    }

    /// The epoch of this identifier.
    package func epoch(_ id: EpochID) -> Epoch? {
        epochs.first { $0.id == id }
    }

    /// Takes the effect of the next record in the order of ``MemberRecord/precedes(_:_:)``.
    ///
    /// Of concurrent admissions that contradict each other, or exceed the number of devices, the
    /// first in this order stands and the others have no effect.
    mutating func apply(_ record: MemberRecord) {
        switch record.payload {
        case .genesis(let payload):
            recovery = payload.recovery
            upgradeNeeded = upgradeNeeded || payload.hasPolicy
            members.append(
                Member(certificate: payload.creator, role: .admin, admission: record.id))
        case .add(let payload):
            guard members.count < Limits.devices, owner(ofAnyKeyIn: payload.certificate) == nil
            else { return }
            members.append(
                Member(
                    certificate: payload.certificate, role: payload.role, admission: record.id))
        case .epoch(let payload):
            let epoch = Epoch(id: record.id, author: record.author, payload: payload)
            let position = epochs.firstIndex { Epoch.isNewer(epoch, than: $0) } ?? epochs.count
            epochs.insert(epoch, at: position)
        case .unknown:
            upgradeNeeded = true
        }
    }

    /// The certificate that already uses one of the keys, if any.
    func owner(ofAnyKeyIn certificate: Certificate) -> Certificate? {
        if let recovery, recovery.sharesKey(with: certificate) { return recovery }
        return members.first { $0.certificate.sharesKey(with: certificate) }?.certificate
    }
}
