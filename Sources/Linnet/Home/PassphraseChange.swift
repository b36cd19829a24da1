import LinnetCrypto
import LinnetMembership
package import LinnetSystem

/// A change of the passphrase that a home's key file asks for.
public enum PassphraseChange: Sendable {
    /// The key file asks for this passphrase from now on; it asked for none before.
    case set(Passphrase)
    /// The key file asks for another passphrase from now on.
    case change(from: Passphrase, to: Passphrase)
    /// The key file asks for no passphrase any more; this is the one that holds now.
    case remove(Passphrase)

    private var current: Passphrase? {
        switch self {
        case .set: nil
        case .change(let current, _), .remove(let current): current
        }
    }

    private var next: Passphrase? {
        switch self {
        case .set(let next), .change(_, let next): next
        case .remove: nil
        }
    }

    /// Carries the change out in a home that the caller has locked; after a refusal the key files
    /// are untouched, unless the disk failed.
    package func perform(in home: Home) throws(LinnetError) {
        let files = KeyFileStore(home)
        let loaded = try KeyFileStore.intact(in: home)
        do {
            switch (try KeyFile.needsPassphrase(loaded.bytes), current) {
            case (true, nil): throw LinnetError.passphraseExists
            case (false, .some): throw LinnetError.noPassphrase
            default: break
            }
            let keys = try KeyFile.decode(loaded.bytes, passphrase: current?.secret)
            var entropy = Entropy(seed: SystemEntropy.seed())
            let bytes = try KeyFile.encode(keys, passphrase: next?.secret, entropy: &entropy)
            // Losing the key file loses the device, so the new one is opened before it replaces the
            // old.
            let same = try KeyFile.decode(bytes, passphrase: next?.secret).device == keys.device
            guard same else { throw LinnetError.unexpected("the new key file does not open") }
            try files.replace(bytes)
            try files.heal(try KeyFileStore.intact(in: home))
        } catch let error as LinnetError {
            throw error
        } catch let error as HomeError {
            throw .home(DiskProblem.behind(.home(error), in: home) ?? error)
        } catch let error as MembershipError {
            throw LinnetError(error)
        } catch {
            throw .unexpected("\(error)")
        }
    }
}

extension KeyFileStore {
    /// Reads the intact bytes of a home's key file.
    package static func intact(in home: Home) throws(LinnetError) -> Loaded {
        do {
            return try KeyFileStore(home).load(isIntact: KeyFile.isWhole)
        } catch {
            throw .home(error)
        }
    }

    /// Returns true when a home's key file asks for a passphrase.
    package static func needsPassphrase(_ home: Home) throws(LinnetError) -> Bool {
        let loaded = try intact(in: home)
        do {
            return try KeyFile.needsPassphrase(loaded.bytes)
        } catch {
            throw LinnetError(error)
        }
    }
}

extension KeyFile {
    /// Returns true when a key file is not damaged. One of a newer version counts as whole, though
    /// it cannot be read.
    fileprivate static func isWhole(_ bytes: [UInt8]) -> Bool {
        do throws(MembershipError) {
            _ = try needsPassphrase(bytes)
            return true
        } catch {
            return error == .keyFileFromTheFuture
        }
    }
}
