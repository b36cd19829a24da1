/// The rule for addresses that were heard and may be dialled: an answer on the network must not aim
/// us elsewhere.
package enum DialPolicy: Equatable, Sendable {
    /// Link-local, private and on-link addresses only.
    case localOnly
    /// Every unicast address, because the person configured so; loopback stays restricted.
    case anywhere

    /// Returns true when an address learned from an answer on the given interface may be dialled.
    ///
    /// A loopback address is dialled only when the answer came on the loopback interface.
    /// Unspecified, multicast and broadcast addresses never are.
    package func allows(address: IPAddress, answeredOn interface: NetworkInterface) -> Bool {
        switch Reach(of: address) {
        case .never: false
        case .loopback: interface.isLoopback
        case .local: true
        case .elsewhere:
            self == .anywhere || interface.prefixes.contains { $0.contains(address) }
        }
    }

    /// The reach of an address, by its number alone.
    private enum Reach {
        case never, loopback, local, elsewhere

        init(of address: IPAddress) {
            let bytes = address.bytes
            self = address.isIPv6 ? Self.ofIPv6(bytes) : Self.ofIPv4(bytes[0], bytes[1])
        }

        private static func ofIPv4(_ first: UInt8, _ second: UInt8) -> Reach {
            switch (first, second) {
            case (0, _), (224...255, _): .never
            case (127, _): .loopback
            case (10, _), (172, 16...31), (192, 168), (169, 254): .local
            default: .elsewhere
            }
        }

        private static func ofIPv6(_ bytes: [UInt8]) -> Reach {
            if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] < 2 {
                return bytes[15] == 1 ? .loopback : .never
            }
            switch (bytes[0], bytes[1]) {
            case (0xff, _): return .never
            case (0xfe, 0x80...0xbf), (0xfc...0xfd, _): return .local
            default: return .elsewhere
            }
        }
    }
}

/// An address prefix of an interface.
package struct NetworkPrefix: Equatable, Sendable {
    /// An address inside the prefix.
    package let address: IPAddress
    /// The length of the prefix in bits, 0 to 32 or 128.
    package let bits: Int

    /// A prefix from one address in it and its length in bits.
    package init(address: IPAddress, bits: Int) {
        self.address = address
        self.bits = bits
    }

    /// Returns true when an address lies inside; a prefix of no bits holds nothing.
    package func contains(_ other: IPAddress) -> Bool {
        guard bits > 0, bits <= address.bytes.count * 8,
            other.bytes.count == address.bytes.count
        else { return false }
        for (index, (ours, theirs)) in zip(address.bytes, other.bytes).enumerated() {
            let bitsHere = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> bitsHere)
            guard ours & mask == theirs & mask else { return false }
        }
        return true
    }
}
