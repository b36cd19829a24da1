import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The content of a door: what a device needs that has a group's recovery phrase and nothing else,
/// to read the objects of one epoch in a mailbox.
struct MailDoor {
    private static let version: UInt64 = 1
    private static let lengthBytes = 4
    /// The bytes of every door, of its lock, and of the plaintext in its box.
    static let doorBytes = 512
    private static let plaintextBytes =
        doorBytes - DoorLock.encodedBytes - SealedBox.overheadBytes

    let group: GroupID
    let epoch: EpochID
    let networkKey: SharedSecret
    /// The hashes in the names of the bridges that hold the record of the epoch and all before it,
    /// in order.
    let parts: [Bytes16]

    /// The keys by which objects of the epoch are named and sealed.
    var keys: MailKeys { MailKeys(epoch, networkKey, of: group) }

    /// The content with its length before it and zeros behind it; nil where it is too long.
    var padded: [UInt8]? {
        var writer = CBORWriter(capacity: Self.plaintextBytes)
        writer.array(5)
        writer.unsigned(Self.version)
        writer.bytes(group)
        writer.bytes(epoch)
        writer.bytes(networkKey.bytes.exposed())
        writer.array(parts.count)
        for part in parts { writer.bytes(part) }
        let content = writer.bytes
        let room = Self.plaintextBytes - Self.lengthBytes
        guard content.count <= room, parts.count <= Limits.mailDoorParts else { return nil }
        var plaintext: [UInt8] = []
        BigEndian.append(UInt32(content.count), to: &plaintext)
        return plaintext + content + [UInt8](repeating: 0, count: room - content.count)
    }

    /// Opens a door with the keys that its lock yields; nil where it is sealed to others.
    ///
    /// Throws ``DoorLock/Fault/damaged`` for bytes that are no door, and ``DoorLock/Fault/later``
    /// where the box opens and its content is of a later version.
    static func open(
        _ sealed: [UInt8], with keys: borrowing DeviceKeys
    ) throws(DoorLock.Fault) -> MailDoor? {
        guard sealed.count == doorBytes else { throw .damaged }
        let secret: SecretBytes
        do throws(CryptoError) {
            secret = try SealedBox.open(
                Array(sealed.dropFirst(DoorLock.encodedBytes)), with: keys.seal)
        } catch {
            // That it does not open is the answer: it is another's, or was changed.
            return nil
        }
        let plaintext = secret.exposed()
        let count = plaintext.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard count <= plaintext.count - lengthBytes else { throw .damaged }
        let door: MailDoor?
        do throws(WireError) {
            door = try decode(Array(plaintext.dropFirst(lengthBytes).prefix(count)))
        } catch {
            throw .damaged
        }
        guard let door else { throw .later }
        guard door.padded == plaintext else { throw .damaged }
        return door
    }

    /// Reads the content of a door; nil where it is of a later version.
    private static func decode(_ content: [UInt8]) throws(WireError) -> MailDoor? {
        var reader = CBORReader(content)
        let count = try reader.array()
        guard try reader.unsigned() == version else { return nil }
        guard count == 5 else { throw .badLength }
        let (group, epoch) = (try reader.bytes32(), try reader.bytes32())
        let key = SharedSecret(SecretBytes(copying: try reader.bytes32().array))
        var parts: [Bytes16] = []
        for _ in 0..<(try reader.array(max: Limits.mailDoorParts)) {
            parts.append(try reader.bytes16())
        }
        try reader.finish()
        return MailDoor(group: group, epoch: epoch, networkKey: key, parts: parts)
    }
}

/// The beginning of a door, which anybody can read: how a phrase is hashed to open it.
struct DoorLock: Equatable {
    static let version: UInt8 = 1
    static let saltBytes = 16
    /// A version, the salt, memory, passes and lanes.
    static let encodedBytes = 1 + saltBytes + 4 + 1 + 1

    let salt: [UInt8]
    let cost: PasswordHash.Cost

    /// The reason why bytes are no door that this version opens.
    enum Fault: Error, Equatable {
        /// They have another length than doors have.
        case damaged
        /// They are of a later version.
        case later
        /// Opening it would take more memory or time than a door may take.
        case tooCostly
    }

    var encoded: [UInt8] {
        var bytes = [Self.version] + salt
        BigEndian.append(cost.memoryKiB, to: &bytes)
        return bytes + [UInt8(clamping: cost.passes), UInt8(clamping: cost.lanes)]
    }

    /// Joins both.
    init(salt: [UInt8], cost: PasswordHash.Cost) { (self.salt, self.cost) = (salt, cost) }

    /// The lock of doors that are made for a group.
    init(_ recovery: GroupRecovery) { (salt, cost) = (recovery.salt, .standard) }

    /// Reads the lock of a door, whose costs are bounded before anything is hashed.
    init(of sealed: [UInt8]) throws(Fault) {
        guard let version = sealed.first, version != 0 else { throw .damaged }
        guard version == Self.version else { throw .later }
        guard sealed.count == MailDoor.doorBytes else { throw .damaged }
        salt = Array(sealed[1...Self.saltBytes])
        let numbers = sealed[(1 + Self.saltBytes)..<Self.encodedBytes].map(UInt32.init)
        cost = PasswordHash.Cost(
            memoryKiB: numbers[0] << 24 | numbers[1] << 16 | numbers[2] << 8 | numbers[3],
            passes: numbers[4], lanes: numbers[5])
        guard cost.isAccepted, cost.memoryKiB <= Limits.mailDoorMemoryKiB else {
            throw .tooCostly
        }
    }
}
