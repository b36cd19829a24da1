import LinnetCrypto
import LinnetWire

/// A device asks a peer for keys of batches that it holds and cannot open.
struct KeyGetMessage: Equatable, Sendable {
    static let keysMaximum = 256

    var wanted: [WantedKey]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(wanted.count)
        for name in wanted {
            writer.array(3)
            name.write(to: &writer)
        }
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> KeyGetMessage {
        var reader = CBORReader(body)
        var wanted: [WantedKey] = []
        for _ in 0..<(try reader.array(max: keysMaximum)) {
            try reader.array(exactly: 3)
            wanted.append(try WantedKey(from: &reader))
        }
        try reader.finish()
        return KeyGetMessage(wanted: wanted)
    }
}

/// The answer: those of the keys that the peer holds and that the device which asks may have.
struct KeysMessage {
    var keys: [(name: WantedKey, key: SharedSecret)]

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(keys.count)
        for (name, key) in keys {
            writer.array(4)
            name.write(to: &writer)
            writer.bytes(key.bytes.exposed())
        }
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> KeysMessage {
        var reader = CBORReader(body)
        var keys: [(name: WantedKey, key: SharedSecret)] = []
        for _ in 0..<(try reader.array(max: KeyGetMessage.keysMaximum)) {
            try reader.array(exactly: 4)
            let name = try WantedKey(from: &reader)
            let key = SharedSecret(SecretBytes(copying: try reader.bytes32().array))
            keys.append((name, key))
        }
        try reader.finish()
        return KeysMessage(keys: keys)
    }
}
