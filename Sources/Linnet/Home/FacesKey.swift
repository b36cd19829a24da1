package import LinnetCrypto
package import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The key that signs what widgets may show. It is drawn once for a home and used for nothing else:
/// whoever copies it can forge a face, but never speak as the device.
package enum FacesKey {
    /// Reads the key of a home; the first call draws it.
    package static func open(in home: Home) throws(HomeError) -> SigningKey {
        let name = Home.File.facesKey.rawValue
        if !home.directory.contains(name) { try create(name, in: home) }
        let file = try home.directory.file(name, O_RDONLY | O_NONBLOCK)
        var bytes = try file.read(upTo: SigningKey.keyBytes + 1)
        defer { wipe(&bytes) }
        guard bytes.count == SigningKey.keyBytes else {
            throw .system(call: "read", path: "\(home.path)/\(name)", code: EIO)
        }
        return SigningKey(seed: SecretBytes(copying: bytes))
    }

    /// Writes the key under another name first, so that a crash leaves a whole key or none.
    private static func create(_ name: String, in home: Home) throws(HomeError) {
        let temporary = Home.Leftover.facesKey.rawValue
        try home.directory.remove(temporary)
        let file = try home.directory.file(temporary, O_WRONLY | O_CREAT | O_EXCL)
        let seed = SystemEntropy.seed()
        var bytes = seed.exposed()
        defer { wipe(&bytes) }
        try file.write(bytes)
        try file.synchronize()
        try home.directory.rename(temporary, to: name)
        try home.directory.synchronize()
    }
}
