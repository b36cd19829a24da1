import LinnetCrypto
package import LinnetWire

// These requests are about the device itself, not about its records.

/// The keys out of memory.
package struct LockRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 70
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

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

/// A look for what is wrong.
package struct ExaminationRequest: ControlRequest {
    package typealias Answer = [HealthFinding]
    package static let number: UInt64 = 74
    package static let isLong = true
    package static var form: ControlForm<Self> { ControlForm(Self.init(isDeep:), \.isDeep) }

    /// True when everything that is stored is read.
    package var isDeep: Bool

    /// Asks.
    package init(isDeep: Bool) { self.isDeep = isDeep }
}

/// The warnings that are kept for the person, who knows of them now.
package struct AcknowledgementRequest: ControlRequest {
    package typealias Answer = [ControlWarning]
    package static let number: UInt64 = 75
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The warnings that no command has told yet; they count as told then.
package struct WarningsRequest: ControlRequest {
    package typealias Answer = [ControlWarning]
    package static let number: UInt64 = 76
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
}

/// The end of the node, which lets go of its home; the answer may be lost with the connection.
package struct StopRequest: ControlRequest {
    package typealias Answer = NoAnswer
    package static let number: UInt64 = 77
    package static var form: ControlForm<Self> { ControlForm(Self.init) }

    /// Asks.
    package init() {}
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
