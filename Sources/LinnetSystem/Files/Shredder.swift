import LinnetCrypto

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Overwrites files before they are unlinked.
///
/// Old bytes stay on a disk that writes to another place than before, and in a snapshot of the file
/// system.
package enum Shredder {
    private static let chunkBytes = 1 << 20

    /// Overwrites the content of the file durably; returns its size in bytes.
    @discardableResult
    package static func overwrite(
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

    /// Overwrites the file `name` when it is a regular one, and removes it; does nothing when there
    /// is none.
    ///
    /// Of a symbolic link only the link is removed. Syncing the directory is the caller's part.
    package static func destroy(
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
