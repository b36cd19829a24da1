package import LinnetCrypto
import LinnetWire

/// The bytes of the file that keeps a device's keys.
///
/// 274 bytes, integers big endian: magic "LNTK", version u8 (1), kdf u8 (0 none, 1 Argon2id),
/// memory KiB u32, passes u32, lanes u32, salt 16, wrap key 32 (zero unless kdf is 0), nonce 24,
/// ciphertext 152, check value 32. The ciphertext is XChaCha20-Poly1305 over the Unix milliseconds
/// of creation (u64) and the 128 secret bytes, with everything before it as associated data; the
/// check value is BLAKE2b-256 over its label and everything before it.
package enum KeyFile {
    /// Exact size of a key file of this version.
    package static let byteCount = checkOffset + 32

    private static let magic = Array("LNTK".utf8)
    private static let version: UInt8 = 1
    private static let kdfOffset = 5
    private static let costOffset = 6
    private static let saltOffset = 18
    private static let wrapOffset = 34
    private static let nonceOffset = 66
    private static let ciphertextOffset = 90
    private static let checkOffset =
        ciphertextOffset + 8 + DeviceKeys.secretBytes + XChaCha.tagBytes
    private static let plain: UInt8 = 0
    private static let argon2id: UInt8 = 1

    /// The file's bytes; without a passphrase they contain their own key, so that only the file's
    /// permissions protect them.
    ///
    /// Throws ``MembershipError/outOfMemory`` when the passphrase cannot be hashed.
    package static func encode(
        _ keys: borrowing DeviceKeys, passphrase: SharedSecret?, entropy: inout Entropy
    ) throws(MembershipError) -> [UInt8] {
        let cost = PasswordHash.Cost.standard
        let salt = entropy.bytes(16)
        let nonce = entropy.bytes(XChaCha.nonceBytes)
        let drawn = entropy.secret(XChaCha.keyBytes)
        var file = magic + [version, passphrase == nil ? plain : argon2id]
        for number in [cost.memoryKiB, cost.passes, cost.lanes] {
            BigEndian.append(passphrase == nil ? 0 : number, to: &file)
        }
        file += salt
        file += passphrase == nil ? drawn.exposed() : [UInt8](repeating: 0, count: 32)
        file += nonce
        let key: SharedSecret
        if let passphrase {
            key = try wrapKey(passphrase, salt: salt, cost: cost)
        } else {
            key = SharedSecret(drawn)
        }
        var created: [UInt8] = []
        BigEndian.append(UInt64(keys.certificate.createdMilliseconds), to: &created)
        let content = SecretBytes(joining: SecretBytes(copying: created), keys.secret)
        file += XChaCha.seal(
            key: key.bytes, nonce: nonce, secret: content, associatedData: file)
        return file + Hash.blake2b(.check, file)
    }

    /// The keys in a file, once its form and its check value hold.
    package static func decode(
        _ file: [UInt8], passphrase: SharedSecret?
    ) throws(MembershipError) -> DeviceKeys {
        try check(file)
        let salt = Array(file[saltOffset..<wrapOffset])
        let key: SharedSecret
        switch (file[kdfOffset], passphrase) {
        case (plain, _):
            key = SharedSecret(SecretBytes(copying: Array(file[wrapOffset..<nonceOffset])))
        case (argon2id, let passphrase?):
            key = try wrapKey(passphrase, salt: salt, cost: cost(in: file))
        case (argon2id, nil):
            throw .passphraseNeeded
        default:
            throw .keyFileFromTheFuture
        }
        return try open(file, key: key)
    }

    /// Returns true when a file of valid form asks for a passphrase.
    package static func needsPassphrase(_ file: [UInt8]) throws(MembershipError) -> Bool {
        try check(file)
        return file[kdfOffset] == argon2id
    }

    private static func check(_ file: [UInt8]) throws(MembershipError) {
        guard file.prefix(magic.count).elementsEqual(magic.prefix(file.count)) else {
            throw .notAKeyFile
        }
        guard file.count > magic.count else { throw .keyFileTruncated }
        guard file[magic.count] == version else {
            throw file[magic.count] > version ? .keyFileFromTheFuture : .keyFileDamaged
        }
        guard file.count >= byteCount else { throw .keyFileTruncated }
        guard
            file.count == byteCount,
            constantTimeEquals(
                Hash.blake2b(.check, Array(file[..<checkOffset])), Array(file[checkOffset...]))
        else { throw .keyFileDamaged }
    }

    private static func open(
        _ file: [UInt8], key: SharedSecret
    ) throws(MembershipError) -> DeviceKeys {
        let content = try content(of: file, key: key)
        let created = content.slice(0..<8).exposed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let created = Int64(exactly: created) else { throw .keyFileDamaged }
        return DeviceKeys(
            secret: content.slice(8..<content.count), createdMilliseconds: created)
    }

    private static func content(
        of file: [UInt8], key: SharedSecret
    ) throws(MembershipError) -> SecretBytes {
        do {
            return try XChaCha.openSecret(
                key: key.bytes, nonce: Array(file[nonceOffset..<ciphertextOffset]),
                ciphertext: Array(file[ciphertextOffset..<checkOffset]),
                associatedData: Array(file[..<ciphertextOffset]))
        } catch {
            throw file[kdfOffset] == plain ? .keyFileDamaged : .wrongPassphrase
        }
    }

    private static func cost(in file: [UInt8]) -> PasswordHash.Cost {
        let numbers = [0, 4, 8].map { offset in
            file[costOffset + offset..<costOffset + offset + 4].reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
        }
        return PasswordHash.Cost(
            memoryKiB: numbers[0], passes: numbers[1], lanes: numbers[2])
    }

    private static func wrapKey(
        _ passphrase: SharedSecret, salt: [UInt8], cost: PasswordHash.Cost
    ) throws(MembershipError) -> SharedSecret {
        do {
            return SharedSecret(
                try PasswordHash.argon2id(
                    password: passphrase.bytes, salt: salt, cost: cost, count: XChaCha.keyBytes))
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .keyFileCostRefused
        }
    }
}
