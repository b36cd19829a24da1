/// Host names that service records point at, as far as we follow them.
package enum HostName {
    /// The name when it is printable ASCII of at most 255 bytes directly under `.local`.
    ///
    /// Any other target would make the daemon ask a name server of the sender's choice.
    package static func local(_ bytes: [UInt8]) -> String? {
        let ending = Array(".local".utf8)
        var name = bytes
        if name.last == 0x2e { name.removeLast() }
        guard name.count > ending.count, name.count < 255,
            name.suffix(ending.count).map(lowercased) == ending,
            name.dropLast(ending.count).allSatisfy(isHostByte)
        else { return nil }
        return String(decoding: name, as: UTF8.self) + "."
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }

    /// Letters, digits, hyphen and underscore: a host under `.local` is a single label.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }
}
