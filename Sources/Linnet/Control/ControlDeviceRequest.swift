import LinnetCrypto
import LinnetWire

/// A request about the device itself, not about its records.
package enum ControlDeviceRequest: Sendable {
    /// Take the keys out of memory.
    case lock
    /// Open the home again.
    case unlock(Passphrase)
    /// Change the passphrase of the key file.
    case changePassphrase(PassphraseChange)
    /// Write a backup to an absolute path: answered by `progress`.
    case backUp(path: String, passphrase: Passphrase?, replaces: Bool)
    /// Look for faults, in everything that is stored when `isDeep`: answered by `progress` and
    /// `findings`.
    case examine(isDeep: Bool)
    /// Note that the person knows of the warnings that are kept for her: answered by `warnings`
    /// with those.
    case acknowledge
    /// List the warnings that no command has told yet, which count as told then: answered by
    /// `warnings`.
    case untold
    /// End the node and let go of its home; the answer may be lost with the connection.
    case stop
}

extension ControlDeviceRequest: Equatable {
    /// Compares in constant time, because a request may hold a passphrase.
    package static func == (left: ControlDeviceRequest, right: ControlDeviceRequest) -> Bool {
        var (first, second) = (left.encoded, right.encoded)
        defer {
            wipe(&first)
            wipe(&second)
        }
        return constantTimeEquals(first, second)
    }

    private var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.deviceRequest(self)
        return writer.bytes
    }
}

extension CBORWriter {
    mutating func deviceRequest(_ request: ControlDeviceRequest) {
        switch request {
        case .lock: head(0, 0)
        case .unlock(let passphrase):
            head(1, 1)
            self.passphrase(passphrase)
        case .changePassphrase(.set(let next)):
            head(2, 1)
            passphrase(next)
        case .changePassphrase(.change(let current, let next)):
            head(3, 2)
            passphrase(current)
            passphrase(next)
        case .changePassphrase(.remove(let current)):
            head(4, 1)
            passphrase(current)
        case .backUp(let path, let passphrase, let replaces):
            head(5, 3)
            text(path)
            optional(passphrase) { $0.passphrase($1) }
            bool(replaces)
        case .stop: head(6, 0)
        case .examine(let isDeep):
            head(7, 1)
            bool(isDeep)
        case .acknowledge: head(8, 0)
        case .untold: head(9, 0)
        }
    }

    private mutating func head(_ kind: UInt64, _ count: Int) {
        array(count + 1)
        unsigned(kind)
    }

    private mutating func passphrase(_ passphrase: Passphrase) {
        var bytes = passphrase.secret.bytes.exposed()
        self.bytes(bytes)
        wipe(&bytes)
    }
}

extension CBORReader {
    mutating func deviceRequest() throws(WireError) -> ControlDeviceRequest {
        let count = try array(max: 4)
        let kind = try unsigned()
        switch (kind, count) {
        case (0, 1): return .lock
        case (1, 2): return .unlock(try passphrase())
        case (2, 2): return .changePassphrase(.set(try passphrase()))
        case (3, 3):
            let current = try passphrase()
            return .changePassphrase(.change(from: current, to: try passphrase()))
        case (4, 2): return .changePassphrase(.remove(try passphrase()))
        case (5, 4):
            let path = try text(max: .max)
            let passphrase = try optional { (reader) throws(WireError) in
                try reader.passphrase()
            }
            return .backUp(path: path, passphrase: passphrase, replaces: try bool())
        case (6, 1): return .stop
        case (7, 2): return .examine(isDeep: try bool())
        case (8, 1): return .acknowledge
        case (9, 1): return .untold
        default: throw .unexpectedType
        }
    }

    private mutating func passphrase() throws(WireError) -> Passphrase {
        var bytes = try bytes(max: .max)
        defer { wipe(&bytes) }
        guard let passphrase = Passphrase(bytes: bytes) else { throw .tooLarge }
        return passphrase
    }
}
