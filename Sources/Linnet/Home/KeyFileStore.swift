package import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads and writes the two copies of a device's key file, and refuses any that others may reach.
///
/// The caller holds the home's lock.
package struct KeyFileStore {
    /// The bytes of a key file that were read.
    package struct Loaded: Equatable {
        /// The bytes of the first intact copy.
        package let bytes: [UInt8]
        /// The copies that are missing or damaged.
        package let unusable: [Home.File]
        /// The second copy, when it is intact but differs from the first, which counts: a change of
        /// the passphrase was cut short.
        package let stale: [Home.File]
    }

    /// The limit for reading, in bytes; no key file is as large.
    static let sizeLimitBytes = 4096
    private static let temporaryName = Home.Leftover.key.rawValue
    private let home: Home

    /// Takes the key files of `home`.
    package init(_ home: Home) {
        self.home = home
    }

    /// Writes both copies of a new device's key file; throws when the home has a device.
    package func create(_ bytes: [UInt8]) throws(HomeError) {
        if home.hasDevice { throw .keyFileExists(path: home.path(of: .key)) }
        try write(bytes, to: .key)
        try write(bytes, to: .keyCopy)
    }

    /// Returns the fault of one copy, which it leaves as it is; nil when there is none.
    package func fault(of file: Home.File, isIntact: ([UInt8]) -> Bool) -> KeyFileFault? {
        do throws(HomeError) {
            guard let bytes = try read(file) else { return .missing }
            return isIntact(bytes) ? nil : .damaged
        } catch {
            return .refused(error)
        }
    }

    /// Reads the key file, or its copy when `isIntact` refuses the first.
    ///
    /// Both files are checked for owner, permissions, links and kind, and left as they are.
    package func load(isIntact: ([UInt8]) -> Bool) throws(HomeError) -> Loaded {
        if !home.hasDevice { throw .keyFileMissing(path: home.path(of: .key)) }
        var intact: [UInt8]?
        var unusable: [Home.File] = []
        var stale: [Home.File] = []
        for file in [Home.File.key, .keyCopy] {
            if let bytes = try read(file), isIntact(bytes) {
                if let intact, intact != bytes { stale.append(file) }
                intact = intact ?? bytes
            } else {
                unusable.append(file)
            }
        }
        guard let intact else { throw .keyFileDamaged(path: home.path(of: .key)) }
        return Loaded(bytes: intact, unusable: unusable, stale: stale)
    }

    /// Brings both copies to the state of the intact one, and removes what a crash left behind.
    package func heal(_ loaded: Loaded) throws(HomeError) {
        for file in loaded.unusable + loaded.stale { try replace(file, loaded.bytes) }
        try Shredder.destroy(Home.Leftover.key.rawValue, in: home.directory)
    }

    /// Replaces both copies one after the other, so that one of them is whole at every moment and a
    /// crash leaves the old state or the new one. The old copies are overwritten.
    package func replace(_ bytes: [UInt8]) throws(HomeError) {
        for file in [Home.File.key, .keyCopy] { try replace(file, bytes) }
    }

    /// Replaces one copy, and overwrites the bytes of the old one: the old passphrase opens them.
    private func replace(_ file: Home.File, _ bytes: [UInt8]) throws(HomeError) {
        guard home.directory.contains(file.rawValue) else { return try write(bytes, to: file) }
        let old = try? home.directory.file(file.rawValue, O_RDWR | O_NONBLOCK)
        try write(bytes, to: file)
        // The old copy stays whole until the new one has its name durably.
        guard let old else { return }
        try Shredder.overwrite(old)
    }

    /// Reads one copy; nil when it does not exist.
    private func read(_ file: Home.File) throws(HomeError) -> [UInt8]? {
        guard home.directory.contains(file.rawValue) else { return nil }
        let path = home.path(of: file)
        let opened: OpenFile
        do throws(HomeError) {
            // Without O_NONBLOCK a pipe in the file's place would hold this call for ever.
            opened = try home.directory.file(file.rawValue, O_RDONLY | O_NONBLOCK)
        } catch {
            // This is what O_NOFOLLOW gives for a symbolic link.
            if case .system(_, _, let code) = error, code == ELOOP {
                throw .keyFileIsLink(path: path)
            }
            throw error
        }
        try requirePrivate(opened, path: path)
        return try opened.read(upTo: Self.sizeLimitBytes)
    }

    private func requirePrivate(
        _ file: borrowing OpenFile, path: String
    ) throws(HomeError) {
        let status = try file.status()
        let mode = UInt32(status.st_mode)
        if mode & UInt32(S_IFMT) != UInt32(S_IFREG) { throw .keyFileNotRegular(path: path) }
        if status.st_uid != geteuid() {
            throw .keyFileOwner(path: path, userID: status.st_uid)
        }
        if mode & 0o077 != 0 { throw .keyFilePermissions(path: path, mode: mode & 0o7777) }
        if status.st_nlink != 1 {
            throw .keyFileLinkCount(path: path, count: UInt64(status.st_nlink))
        }
    }

    /// Replaces one copy so that a crash leaves the old one or the new one, never a part.
    private func write(_ bytes: [UInt8], to file: Home.File) throws(HomeError) {
        try home.directory.remove(Self.temporaryName)
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let temporary = try home.directory.file(Self.temporaryName, flags)
        try temporary.write(bytes)
        try temporary.synchronize()
        try home.directory.rename(Self.temporaryName, to: file.rawValue)
        try home.directory.synchronize()
    }
}
