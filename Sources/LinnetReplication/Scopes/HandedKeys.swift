import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A key that a device lacks and may ask for: that of a root in an epoch, or of one author's
/// batches of format 1 in a scope and an epoch.
struct WantedKey: Comparable, Sendable {
    let epoch: EpochID
    /// The root, or for format 1 the scope.
    let scope: ScopeID
    /// The author in format 1; nil for the key of a root.
    let author: AuthorID?

    static func < (left: WantedKey, right: WantedKey) -> Bool {
        (left.epoch, left.scope, left.author ?? .zero)
            < (right.epoch, right.scope, right.author ?? .zero)
    }

    func write(to writer: inout CBORWriter) {
        writer.bytes(epoch)
        writer.bytes(scope)
        if let author { writer.bytes(author) } else { writer.null() }
    }

    init(epoch: EpochID, scope: ScopeID, author: AuthorID?) {
        (self.epoch, self.scope, self.author) = (epoch, scope, author)
    }

    init(from reader: inout CBORReader) throws(WireError) {
        epoch = try reader.bytes32()
        scope = try reader.bytes16()
        author = try reader.optional { (reader) throws(WireError) in try reader.bytes16() }
    }
}

/// The keys that others handed to a device, each of which opened a batch here.
struct HandedKeys: Sendable {
    /// Most keys that are kept.
    static let most = 8_192
    private var keys = OrderedTable<WantedKey, SharedSecret>()

    init() {}

    subscript(name: WantedKey) -> SharedSecret? { keys[name] }

    /// All of them.
    var all: [SharedSecret] { keys.values }

    /// Keeps a key; false where there is no room.
    mutating func keep(_ key: SharedSecret, as name: WantedKey) -> Bool {
        guard keys.count < Self.most || keys[name] != nil else { return false }
        keys[name] = key
        return true
    }

    /// The bytes that are kept: [[epoch, scope, author or null, key], ...].
    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(keys.count)
        for (name, key) in keys {
            writer.array(4)
            name.write(to: &writer)
            writer.bytes(key.bytes.exposed())
        }
        return writer.bytes
    }

    /// Reads what `encoded` gave.
    init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        for _ in 0..<(try reader.array(max: Self.most)) {
            try reader.array(exactly: 4)
            let name = try WantedKey(from: &reader)
            keys[name] = SharedSecret(SecretBytes(copying: try reader.bytes32().array))
        }
        try reader.finish()
    }
}
