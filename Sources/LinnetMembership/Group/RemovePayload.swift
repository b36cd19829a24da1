package import LinnetWire

/// The payload that removes a device.
package struct RemovePayload: Equatable, Sendable {
    /// A device that goes along, with its last batches that count.
    package struct Companion: Equatable, Sendable {
        /// The device.
        package let device: DeviceID
        /// Its batches up to which all count, ascending.
        package let heads: [BatchHead]

        /// A device that goes along.
        package init(device: DeviceID, heads: [BatchHead] = []) {
            self.device = device
            self.heads = heads
        }
    }

    /// Most devices that go along.
    static let mostCompanions = Limits.devices - 1

    /// The removed device.
    package let device: DeviceID
    /// 0 lost, 1 sold, 2 broken, 3 mine; others are of later versions.
    package let reason: UInt8
    /// The devices that go along, ascending.
    package let with: [Companion]
    /// The batches of the removed device up to which all count, ascending.
    package let heads: [BatchHead]
    /// The epoch that begins; nil when a device leaves.
    package let epoch: EpochPayload?

    /// The payload of a removal; the devices that go along are put in order.
    package init(
        device: DeviceID, reason: UInt8, with: [Companion], heads: [BatchHead], epoch: EpochPayload?
    ) {
        self.device = device
        self.reason = reason
        self.with = with.sorted { $0.device < $1.device }
        self.heads = heads
        self.epoch = epoch
    }

    init(decoding bytes: [UInt8]) throws(MembershipError) {
        let (device, reason, with, heads, epoch) =
            try CanonicalForm.read(bytes) { (reader) throws(WireError) in
                try reader.array(exactly: 5)
                let device = try reader.bytes32()
                let reason = UInt8(try reader.unsigned(max: UInt64(UInt8.max)))
                let with = try reader.list(max: Self.mostCompanions) {
                    (reader) throws(WireError) in
                    try reader.array(exactly: 2)
                    return Companion(
                        device: try reader.bytes32(), heads: try BatchHead.list(from: &reader))
                }
                let heads = try BatchHead.list(from: &reader)
                let epoch = try reader.optional { (reader) throws(WireError) in
                    try reader.rawItem()
                }
                return (device, reason, with, heads, epoch)
            }
        guard MemberPayload.isAscending(with.map(\.device)),
            !with.contains(where: { $0.device == device }),
            with.reduce(heads.count, { $0 + $1.heads.count }) <= BatchHead.most
        else { throw .malformed(.nonCanonical) }
        self.init(
            device: device, reason: reason, with: with, heads: heads,
            epoch: try epoch.map { (bytes) throws(MembershipError) in
                try EpochPayload(decoding: bytes)
            })
    }

    func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.bytes(device)
        writer.unsigned(UInt64(reason))
        writer.array(with.count)
        for companion in with {
            writer.array(2)
            writer.bytes(companion.device)
            BatchHead.write(companion.heads, to: &writer)
        }
        BatchHead.write(heads, to: &writer)
        if let epoch {
            writer.raw(epoch.encoded)
        } else {
            writer.null()
        }
    }
}

extension RemovePayload {
    /// The reason that a removal states.
    package enum Reason: UInt8, CaseIterable, Sendable {
        /// It cannot be found, or was stolen.
        case lost = 0
        /// Somebody else owns it now.
        case sold = 1
        /// It does not work any more.
        case broken = 2
        /// Its owner has it, and does not use it for this any more.
        case mine = 3
    }
}
