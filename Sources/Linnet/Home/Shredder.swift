import LinnetCrypto

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Overwrites files before they are unlinked.
///
/// A disk that writes elsewhere than where it wrote before, and a snapshot of the file system, keep
/// the old bytes all the same.
enum Shredder {
    private static let chunkBytes = 1 << 20

    /// Overwrites what the file holds, durably; returns its bytes.
    @discardableResult
    static func overwrite(
        _ file: borrowing OpenFile, _ progress: (Int) -> Void = { _ in }
    ) throws(HomeError) -> Int {
        let size = max(0, Int(try file.status().st_size))
        var entropy = Entropy(seed: SystemEntropy.seed())
        var done = 0
        while done < size {
            let count = min(chunkBytes, size - done)
            try file.write(entropy.bytes(count), at: done)
            done += count
            progress(count)
        }
        try file.synchronize()
        return size
    }

    /// Overwrites the file `name`, when it is a regular one, and removes it; none is no error.
    ///
    /// A symbolic link is removed, and what it points to is left alone. Syncing the directory is
    /// the caller's part.
    static func destroy(
        _ name: String, in directory: borrowing OpenFile, _ progress: (Int) -> Void = { _ in }
    ) throws(HomeError) {
        guard directory.contains(name) else { return }
        let mode = try UInt32(directory.status(of: name).st_mode) & UInt32(S_IFMT)
        if mode == UInt32(S_IFREG) {
            try overwrite(try directory.file(name, O_WRONLY | O_NONBLOCK), progress)
        }
        try directory.remove(name)
    }
}
