import LinnetWire

/// The first message of an open session, which says who writes here and how much may be sent.
struct HelloMessage: Equatable, Sendable {
    var incarnation: Incarnation
    var wallMilliseconds: Int64
    var schemaVersion: UInt64
    /// The bits of the features that the sender has; absent for none, as up to 0.1.0.
    var features: UInt64?
    /// The credit limit; absent for `Limits.unacknowledgedBytes`, as 0.1.0 has it.
    var creditLimit: UInt64?
    var scopes = ScopeFilter.everything
    /// The scopes of which the sender knows all that the group had; absent where these are all that
    /// it holds.
    var known: ScopeFilter?

    /// The bit of `features` that says that the sender takes certificates.
    static let certificates: UInt64 = 1

    /// The bit of `features` that says that the sender reads batches of format 2, and asks for
    /// their keys and gives them.
    static let scopedBatches: UInt64 = 2

    /// The bit of `features` that says that the sender takes certificates with the digest as a tree
    /// of pages.
    static let treeDigests: UInt64 = 4

    /// The bit of `features` that says that the sender gives blocks of chunks.
    static let chunks: UInt64 = 8

    /// The bit of `features` that says that the sender takes bases.
    static let bases: UInt64 = 16

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        let isPartial = scopes != .everything
        let optional = [features != nil, creditLimit != nil, isPartial, known != nil]
        writer.map(3 + optional.count { $0 })
        writer.unsigned(0)
        writer.bytes(incarnation)
        writer.unsigned(1)
        writer.signed(wallMilliseconds)
        writer.unsigned(2)
        writer.unsigned(schemaVersion)
        if let features {
            writer.unsigned(3)
            writer.unsigned(features)
        }
        if let creditLimit {
            writer.unsigned(4)
            writer.unsigned(creditLimit)
        }
        if isPartial {
            writer.unsigned(5)
            scopes.write(to: &writer)
        }
        if let known {
            writer.unsigned(6)
            known.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads a greeting and ignores unknown keys, so that later versions may add some.
    static func decode(_ body: [UInt8]) throws(WireError) -> HelloMessage {
        var reader = CBORReader(body)
        var incarnation: Incarnation?
        var wall: Int64?
        var schema: UInt64 = 0
        var features: UInt64?
        var credit: UInt64?
        var scopes = ScopeFilter.everything
        var known: ScopeFilter?
        var previous: UInt64?
        for _ in 0..<(try reader.map()) {
            switch try reader.mapKey(after: &previous) {
            case 0: incarnation = try reader.bytes8()
            case 1: wall = try reader.signed()
            case 2: schema = try reader.unsigned()
            case 3: features = try reader.unsigned()
            case 4: credit = try reader.unsigned()
            case 5: scopes = try ScopeFilter.read(from: &reader)
            case 6: known = try ScopeFilter.read(from: &reader)
            default: _ = try reader.rawItem()
            }
        }
        try reader.finish()
        guard let incarnation, let wall else { throw .unexpectedType }
        return HelloMessage(
            incarnation: incarnation, wallMilliseconds: wall, schemaVersion: schema,
            features: features, creditLimit: credit, scopes: scopes, known: known)
    }
}
