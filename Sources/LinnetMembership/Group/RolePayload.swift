package import LinnetWire

/// The payload that gives a device another role, or other scopes.
package struct RolePayload: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// Its role from now on.
    package let role: Role
    /// The scopes that it may read from now on.
    package let scopes: ScopeGrant
    /// The batches up to which all that it wrote counts, ascending, when it writes no more.
    package let heads: [BatchHead]

    /// A device's role from now on; of an admin or member no heads are kept.
    package init(
        device: DeviceID, role: Role, scopes: ScopeGrant = .all, heads: [BatchHead] = []
    ) {
        self.device = device
        self.role = role
        self.scopes = scopes
        self.heads = role.writes ? [] : heads
    }

    /// Nil for a role that only a later version knows.
    init?(decoding bytes: [UInt8]) throws(MembershipError) {
        let (device, number, scopes, heads) =
            try CanonicalForm.read(bytes) { (reader) throws(WireError) in
                try reader.array(exactly: 4)
                return (
                    try reader.bytes32(), try reader.unsigned(), try ScopeGrant(from: &reader),
                    try reader.optional { (reader) throws(WireError) in
                        try BatchHead.list(from: &reader)
                    }
                )
            }
        guard let role = UInt8(exactly: number).flatMap(Role.init(rawValue:)) else { return nil }
        guard role.writes == (heads == nil),
            scopes == .all || role == .member || role == .reader
        else { throw .malformed(.nonCanonical) }
        self.init(device: device, role: role, scopes: scopes, heads: heads ?? [])
    }

    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes(device)
        writer.unsigned(UInt64(role.rawValue))
        scopes.write(to: &writer)
        if role.writes {
            writer.null()
        } else {
            BatchHead.write(heads, to: &writer)
        }
    }
}
