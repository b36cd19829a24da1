package import LinnetControl
import LinnetCrypto
package import LinnetWire

// These requests are about the keys of the device, in words of the public model.

/// The home opened again; a finding where it opens for reading alone.
package struct UnlockRequest: ControlRequest {
    package typealias Answer = [HealthFinding]
    package static let number: UInt64 = 71
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.passphrase) }

    /// The passphrase of the key file.
    package var passphrase: Passphrase

    /// Gives the passphrase.
    package init(_ passphrase: Passphrase) { self.passphrase = passphrase }
}

/// Something else that protects the key file.
package struct PassphraseRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 72
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.change) }

    /// The change.
    package var change: PassphraseChange

    /// Asks for the change.
    package init(_ change: PassphraseChange) { self.change = change }
}

/// A backup, written to an absolute path.
package struct BackupRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 73
    package static let isLong = true
    package static var form: ControlForm<Self> {
        ControlForm(Self.init(path:passphrase:replaces:), \.path, \.passphrase, \.replaces)
    }

    /// The file.
    package var path: String
    /// The passphrase of the keys in it; nil for that of the home.
    package var passphrase: Passphrase?
    /// True when an existing file is replaced.
    package var replaces: Bool

    /// Joins the parts.
    package init(path: String, passphrase: Passphrase?, replaces: Bool) {
        self.path = path
        self.passphrase = passphrase
        self.replaces = replaces
    }
}

extension Passphrase: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        var bytes = secret.bytes.exposed()
        writer.bytes(bytes)
        wipe(&bytes)
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> Passphrase {
        var bytes = try reader.bytes(max: .max)
        defer { wipe(&bytes) }
        guard let passphrase = Passphrase(bytes: bytes) else { throw .tooLarge }
        return passphrase
    }
}

extension PassphraseChange: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .set(let next): writer.variant(2, next)
        case .change(let current, let next): writer.variant(3, current, next)
        case .remove(let current): writer.variant(4, current)
        }
    }

    package static func read(
        from reader: inout CBORReader
    ) throws(WireError) -> PassphraseChange {
        let variant = try reader.variant()
        switch variant.number {
        case 2: return try reader.parts(of: variant, PassphraseChange.set)
        case 3: return try reader.parts(of: variant, PassphraseChange.change)
        case 4: return try reader.parts(of: variant, PassphraseChange.remove)
        default: throw .unexpectedType
        }
    }
}
