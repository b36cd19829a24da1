package import LinnetWire

/// The keys of an epoch, sealed to one more device.
package struct SharePayload: Equatable, Sendable {
    /// The epoch.
    package let epoch: EpochID
    /// The device.
    package let device: DeviceID
    /// 80 to 3,152 bytes.
    package let box: [UInt8]

    /// A box for a device.
    package init(epoch: EpochID, device: DeviceID, box: [UInt8]) {
        self.epoch = epoch
        self.device = device
        self.box = box
    }

    init(decoding bytes: [UInt8]) throws(MembershipError) {
        (epoch, device, box) = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            try reader.array(exactly: 3)
            let (epoch, device) = (try reader.bytes32(), try reader.bytes32())
            let box = try reader.bytes(max: ScopeGrant.mostBoxBytes)
            guard box.count >= Role.relay.boxBytes else { throw .badLength }
            return (epoch, device, box)
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(epoch)
        writer.bytes(device)
        writer.bytes(box)
    }
}
