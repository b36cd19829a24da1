import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

@testable import LinnetReplication

/// The objects of a mailbox once they are open: as they come, and signed or sealed by a device, so
/// that neither keeps the fuzzer out of what is in them.
func fuzz(_ input: [UInt8]) {
    if let name = MailName(text: String(decoding: input, as: UTF8.self)) {
        require(Array(name.text.utf8) == input, "a name is one text")
    }
    signed(input)
    if let batches = try? MailPack.decode(input) {
        require(MailPack.encode(batches) == input, "a pack is one encoding")
    }
    if let records = try? MailBridge.decode(input, of: .zero) {
        require(MailBridge.encode(records, of: .zero) == input, "a bridge is one encoding")
    }
    door(input)
    _ = try? PostBook(kept: input)
}

private let keys: DeviceKeys = {
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    return DeviceKeys(createdMilliseconds: 0, entropy: &entropy)
}()

private func content(_ inner: [UInt8]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(2)
    writer.bytes(inner)
    writer.bytes(keys.signing.sign(.mailHead, inner))
    return writer.bytes
}

private func signed(_ inner: [UInt8]) {
    _ = try? MailHead.decode(signed: inner)
    guard let head = try? MailHead.decode(signed: content(inner)) else { return }
    require(head.encoded == inner, "a head is one encoding")
}

private func door(_ input: [UInt8]) {
    if let lock = try? DoorLock(of: input) {
        require(input.starts(with: lock.encoded), "a lock is one encoding")
    }
    require(opened(input) == .shut, "nobody sealed this")
    let room = MailDoor.doorBytes - DoorLock.encodedBytes - SealedBox.overheadBytes
    let plaintext = Array((input + [UInt8](repeating: 0, count: room)).prefix(room))
    let lock = DoorLock(salt: [UInt8](repeating: 1, count: DoorLock.saltBytes), cost: .standard)
    let box: [UInt8]
    do throws(CryptoError) {
        box = try SealedBox.seal(
            SecretBytes(copying: plaintext), to: keys.certificate.sealKey.array,
            ephemeral: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    } catch {
        return require(false, "a box can be sealed to a key that was drawn")
    }
    switch opened(lock.encoded + box) {
    case .shut: require(false, "a box opens with the key to which it was sealed")
    case .refused: break
    case .open(let content): require(content == plaintext, "a door is one encoding")
    }
}

private enum Opening: Equatable {
    case shut, refused, open([UInt8]?)
}

private func opened(_ sealed: [UInt8]) -> Opening {
    do throws(DoorLock.Fault) {
        guard let door = try MailDoor.open(sealed, with: keys) else { return .shut }
        return .open(door.padded)
    } catch {
        // Bytes of another length are no door, and nothing was opened.
        return sealed.count == MailDoor.doorBytes ? .refused : .shut
    }
}

func seeds() -> [[UInt8]] {
    var head = MailHead(
        group: .zero, device: keys.device, incarnation: .zero, number: 3, previous: .zero)
    let range = MailRange(
        key: ChainKey(scope: .zero, chain: .zero), first: 1, last: 9, prefix: .zero)
    head.packs = [PackReference(hash: .zero, key: .zero, generation: 2, ranges: [range])]
    head.replaced = [MailHead.ReplacedPack(old: .zero, new: .zero)]
    head.seen = [SeenHead(device: .zero, incarnation: .zero, number: 1, hash: .zero)]
    head.ranges = [range]
    head.batches = [[1, 2, 3]]
    let door = MailDoor(
        group: .zero, epoch: .zero, networkKey: SharedSecret(SecretBytes(zeroed: 32)),
        parts: [.zero])
    var book = CBORWriter()
    book.array(3)
    book.unsigned(3)
    book.unsigned(1)
    book.array(1)
    book.array(4)
    book.unsigned(1)
    PostState(address: "folder:/m").write(to: &book)
    MailPlace().write(to: &book)
    return [
        head.encoded, MailPack.encode([[1], [2, 3]]), MailBridge.encode([], of: .zero),
        door.padded ?? [], book.bytes, Array(MailName(.head, .zero).text.utf8),
    ]
}
