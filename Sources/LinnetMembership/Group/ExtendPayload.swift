package import LinnetWire

/// More batches of a device that was removed.
package struct ExtendPayload: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// Its batches up to which all count, ascending.
    package let heads: [BatchHead]

    /// More batches of a device.
    package init(device: DeviceID, heads: [BatchHead]) {
        self.device = device
        self.heads = heads
    }

    init(decoding bytes: [UInt8]) throws(MembershipError) {
        (device, heads) = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (try reader.bytes32(), try BatchHead.list(from: &reader))
        }
    }

    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.bytes(device)
        BatchHead.write(heads, to: &writer)
    }
}
