import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// The pages that are copied before the node's other work gets a turn.
    private static var pagesPerStep: Int32 { 256 }

    /// Writes a backup of this device to a new file of mode 0600, while the node goes on.
    ///
    /// The file holds the sealed database and the key file. The key file in it asks for the same
    /// passphrase as the one of the home; when that has none, for `passphrase`; without either,
    /// whoever has the backup has the device.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - passphrase: the passphrase of the key file in the backup, when the home's has none.
    ///   - replacing: true when a file at the path may be replaced, at the very end.
    ///   - progress: learns now and then how much is copied.
    public func backUp(
        to path: String, passphrase: Passphrase? = nil, replacing: Bool = false,
        progress: @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws(LinnetError) {
        try running()
        if upkeep.hasRelaxedWrites { flush() }
        let key = try backupKey(passphrase)
        do {
            let writer = try BackupWriter(path: path, replaces: replacing)
            try await copyDatabase(to: writer.pagesPath, progress)
            let size = try writer.databaseBytes()
            let now = SystemClock.now().wallMilliseconds
            let head = BackupFile.Head(
                keyBytes: key.count, databaseBytes: size, createdMilliseconds: now)
            try writer.append(head.encoded + key)
            var done = 0
            while done < size {
                done += try writer.appendDatabase(from: done)
                progress(BackupProgress(size + done, of: 2 * size))
                await Task.yield()
            }
            try writer.finish()
        } catch let error as LinnetError {
            throw error
        } catch let error as HomeError {
            throw .backup(Self.reason(error))
        } catch let error as StorageError {
            throw .backup(error.description)
        } catch {
            throw .unexpected("\(error)")
        }
    }

    private static func reason(_ error: HomeError) -> String {
        switch error {
        case .missing(let path): "there is no directory \(path)"
        case .notADirectory(let path): "\(path) is not a directory"
        case .fileExists(let path): "\(path) exists already"
        default: error.description
        }
    }

    /// Copies the pages into a file of their own; ends when the node is locked or stopped.
    private func copyDatabase(
        to path: String, _ progress: @Sendable (BackupProgress) -> Void
    ) async throws {
        guard let source = homeDesk.store else { throw absence }
        let copy = try StoreCopy(of: source, to: path)
        while let step = try copy.step(pages: Self.pagesPerStep) {
            let pageBytes = 4096
            progress(
                BackupProgress(step.pagesDone * pageBytes, of: 2 * step.pages * pageBytes))
            await Task.yield()
            guard homeDesk.store === source else { throw absence }
        }
    }

    /// Returns the key file for the backup.
    private func backupKey(_ passphrase: Passphrase?) throws(LinnetError) -> [UInt8] {
        let loaded = try KeyFileStore.intact(in: home)
        guard let passphrase else { return loaded.bytes }
        var entropy = Entropy(seed: SystemEntropy.seed())
        do throws(MembershipError) {
            let keys = try KeyFile.decode(loaded.bytes, passphrase: passphrase.secret)
            if try KeyFile.needsPassphrase(loaded.bytes) { return loaded.bytes }
            return try KeyFile.encode(keys, passphrase: passphrase.secret, entropy: &entropy)
        } catch {
            throw LinnetError(error)
        }
    }
}
