package import LinnetWire

/// The scopes that a device may read.
package enum ScopeGrant: Equatable, Sendable {
    /// Most scopes that one record names.
    static let most = 64
    /// The bytes of the largest box, for a device with so many scopes.
    static let mostBoxBytes = Role.relay.boxBytes + most * boxBytesOfScope
    private static let boxBytesOfScope = 48

    /// All of them.
    case all
    /// These, ascending.
    case some([Bytes16])

    /// The scopes that both allow.
    func intersection(_ other: ScopeGrant) -> ScopeGrant {
        switch (self, other) {
        case (.all, _): other
        case (_, .all): self
        case (.some(let first), .some(let second)): .some(first.filter(second.contains))
        }
    }

    /// Bytes of a box for a device of a role that may read these scopes.
    func boxBytes(_ role: Role) -> Int {
        guard role != .relay else { return Role.relay.boxBytes }
        return switch self {
        case .all: Role.admin.boxBytes
        case .some(let scopes): Role.relay.boxBytes + scopes.count * Self.boxBytesOfScope
        }
    }

    init(from reader: inout CBORReader) throws(WireError) {
        let scopes = try reader.optional { (reader) throws(WireError) in
            try reader.list(max: Self.most) { (reader) throws(WireError) in
                try reader.bytes16()
            }
        }
        guard let scopes else {
            self = .all
            return
        }
        guard !scopes.isEmpty, zip(scopes, scopes.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .nonCanonical
        }
        self = .some(scopes)
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .all: writer.null()
        case .some(let scopes):
            writer.array(scopes.count)
            for scope in scopes { writer.bytes(scope) }
        }
    }
}
