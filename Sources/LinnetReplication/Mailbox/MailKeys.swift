import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The keys by which the devices of an epoch name and seal what they leave in mailboxes.
///
/// Sealing is deterministic: what is made twice is one object.
struct MailKeys: Sendable {
    private static let lengthBytes = 4
    /// The bytes by which a sealed object is longer than its plaintext.
    private static let overhead = XChaCha.nonceBytes + XChaCha.tagBytes
    /// The sizes of heads.
    private static let headSizes = [1 << 12, 1 << 14, 1 << 16, 1 << 18, Limits.mailHeadBytes]

    let epoch: EpochID
    private let group: GroupID
    private let mail: SharedSecret
    private let naming: SharedSecret

    /// Derives the keys of an epoch; nil where its network key is not held.
    init?(_ epoch: EpochKeys) {
        guard let network = epoch.networkKey else { return nil }
        self.init(epoch.id, network, of: epoch.group)
    }

    /// Derives the keys of an epoch from its network key.
    init(_ epoch: EpochID, _ network: SharedSecret, of group: GroupID) {
        (self.epoch, self.group) = (epoch, group)
        mail = SharedSecret(KeyDerivation.derive(network.bytes, .mail, group.array))
        naming = SharedSecret(KeyDerivation.derive(mail.bytes, .mailName))
    }

    /// Returns the name of sealed bytes.
    func name(of sealed: [UInt8], _ kind: MailKind) -> MailName {
        let hash = Hash.keyed(by: naming.bytes, nil, [kind.rawValue], sealed, count: 16)
        return MailName(kind, BatchName.narrow(hash))
    }

    /// Seals a head or a bridge; nil where it is too large for one object.
    func seal(_ content: [UInt8], _ kind: MailKind) -> MailObject? {
        guard let plaintext = Self.padded(content, kind) else { return nil }
        let key = KeyDerivation.derive(mail.bytes, .mailObject, [kind.rawValue])
        return object(plaintext, kind, under: key)
    }

    /// Seals a pack under a key of its own, which heads name; nil where it is too large.
    func sealPack(_ content: [UInt8]) -> (object: MailObject, key: Bytes32)? {
        guard let plaintext = Self.padded(content, .pack) else { return nil }
        let key = KeyDerivation.derive(mail.bytes, .mailPack, Hash.blake2b(nil, plaintext))
        return (object(plaintext, .pack, under: key), BatchName.wide(key.exposed()))
    }

    /// Seals a door to a recovery key; nil where it does not fit, or the key takes no box.
    func sealDoor(_ door: MailDoor, to lock: DoorLock, of recovery: Certificate) -> MailObject? {
        guard let plaintext = door.padded else { return nil }
        let known = lock.encoded + recovery.sealKey.array + plaintext
        let ephemeral = KeyDerivation.derive(mail.bytes, .mailDoor, Hash.blake2b(nil, known))
        do throws(CryptoError) {
            let box = try SealedBox.seal(
                SecretBytes(copying: plaintext), to: recovery.sealKey.array, ephemeral: ephemeral)
            let sealed = lock.encoded + box
            return MailObject(name: name(of: sealed, .door), bytes: sealed)
        } catch {
            return nil
        }
    }

    /// Opens a head or a bridge whose name was found to be right; nil where it does not open.
    func open(_ sealed: [UInt8], _ kind: MailKind) -> [UInt8]? {
        let key = KeyDerivation.derive(mail.bytes, .mailObject, [kind.rawValue])
        return Self.open(sealed, kind, under: key, group: group)
    }

    /// Opens a pack under the key that a head names; nil where it does not open.
    static func openPack(_ sealed: [UInt8], key: Bytes32, group: GroupID) -> [UInt8]? {
        open(sealed, .pack, under: SecretBytes(copying: key.array), group: group)
    }

    private func object(
        _ plaintext: [UInt8], _ kind: MailKind, under key: borrowing SecretBytes
    ) -> MailObject {
        let nonce = Hash.keyed(by: key, .mailNonce, plaintext, count: XChaCha.nonceBytes)
        let sealed = XChaCha.sealWithNonce(
            key: key, nonce: nonce, plaintext: plaintext,
            associatedData: [kind.rawValue] + group.array)
        return MailObject(name: name(of: sealed, kind), bytes: sealed)
    }

    /// Returns the content with its length before it and zeros behind it; nil where it is too long.
    private static func padded(_ content: [UInt8], _ kind: MailKind) -> [UInt8]? {
        let count = lengthBytes + content.count
        let size: Int?
        if kind == .head {
            size = headSizes.first { $0 >= count + overhead }.map { $0 - overhead }
        } else {
            let padded = Padding.padme(count)
            size = padded + overhead <= Limits.mailObjectBytes ? padded : nil
        }
        guard let size else { return nil }
        var plaintext: [UInt8] = []
        plaintext.reserveCapacity(size)
        BigEndian.append(UInt32(content.count), to: &plaintext)
        plaintext += content
        plaintext += [UInt8](repeating: 0, count: size - count)
        return plaintext
    }

    private static func open(
        _ sealed: [UInt8], _ kind: MailKind, under key: borrowing SecretBytes, group: GroupID
    ) -> [UInt8]? {
        guard sealed.count <= Limits.mailObjectBytes else { return nil }
        let plaintext: [UInt8]
        do throws(CryptoError) {
            plaintext = try XChaCha.openWithNonce(
                key: key, box: sealed, associatedData: [kind.rawValue] + group.array)
        } catch {
            // It is damaged, or from elsewhere: which of them, no seal tells.
            return nil
        }
        guard plaintext.count >= lengthBytes else { return nil }
        let count = plaintext.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard count <= plaintext.count - lengthBytes else { return nil }
        let content = Array(plaintext[lengthBytes..<lengthBytes + count])
        return padded(content, kind) == plaintext ? content : nil
    }
}
