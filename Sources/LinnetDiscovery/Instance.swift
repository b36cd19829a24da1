/// A resolved DNS-SD instance; everything in it but the name's form is an outsider's claim.
package struct Instance: Equatable, Sendable {
    /// The random instance name.
    package let name: InstanceName
    /// The service type it was found under.
    package let type: ServiceType
    /// The host name that the service record points at, ending in `.local.`.
    package let host: String
    /// The TCP port, never 0.
    package let port: UInt16
    /// The TXT record, at most 256 bytes.
    package let txt: [UInt8]
    /// The addresses at which it may be dialled; the dial policy has been applied.
    package let addresses: [InstanceAddress]

    /// An instance with the given claims.
    package init(
        name: InstanceName, type: ServiceType, host: String, port: UInt16, txt: [UInt8],
        addresses: [InstanceAddress]
    ) {
        self.name = name
        self.type = type
        self.host = host
        self.port = port
        self.txt = txt
        self.addresses = addresses
    }
}

/// One address of an instance and the interface its answer came on.
package struct InstanceAddress: Hashable, Comparable, Sendable {
    /// The numeric address.
    package let address: IPAddress
    /// The interface to dial over (the scope of an IPv6 link-local address).
    package let interfaceIndex: UInt32
    /// True when that interface is the loopback interface.
    package let isLoopback: Bool

    /// An address with the interface that answered.
    package init(address: IPAddress, interfaceIndex: UInt32, isLoopback: Bool) {
        self.address = address
        self.interfaceIndex = interfaceIndex
        self.isLoopback = isLoopback
    }

    package static func < (left: InstanceAddress, right: InstanceAddress) -> Bool {
        (left.interfaceIndex, left.address) < (right.interfaceIndex, right.address)
    }
}
