import LinnetCrypto
package import LinnetWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells one machine from another without keeping its identifier.
package enum MachineID {
    /// Returns a hash of the machine's identifier, or of no bytes where the system has none.
    package static func hashed() -> Bytes32 {
        let digest = Hash.blake2b(.check, Array("machine".utf8), identifier())
        return Bytes32(digest) ?? .zero
    }

    #if canImport(Glibc)
        private static func identifier() -> [UInt8] {
            for (directory, name) in [("/etc", "machine-id"), ("/var/lib/dbus", "machine-id")] {
                guard let opened = try? OpenFile.directory(at: directory),
                    let file = try? opened.file(name, O_RDONLY),
                    let bytes = try? file.read(upTo: 64), !bytes.isEmpty
                else { continue }
                return bytes
            }
            return []
        }
    #else
        private static func identifier() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 16)
            var patience = timespec(tv_sec: 1, tv_nsec: 0)
            return unsafe gethostuuid(&bytes, &patience) == 0 ? bytes : []
        }
    #endif
}
