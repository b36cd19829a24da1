package import LinnetWire

/// The scopes that a device may read.
package enum ScopeGrant: Equatable, Sendable {
    /// Most scopes that one record names.
    static let most = 64
    /// The bytes of the largest box, for a device with so many scopes.
    static let mostBoxBytes = Role.relay.boxBytes + most * boxBytesOfScope
    private static let boxBytesOfScope = 48

    /// The place among the scopes of a box for the key by which scopes are named.
    package static let scopeNames = ScopeID.zero
    /// The place among the scopes of a box for the key by which schemas are named.
    package static let schemaNames = ExactLength.bytes16([UInt8](repeating: 0, count: 15) + [1])

    /// The grant of some scopes, by their roots, with what it takes to name them. Throws
    /// ``MembershipError/tooManyScopes``.
    package static func of(_ roots: [ScopeID]) throws(MembershipError) -> ScopeGrant {
        let all = OrderedSet(roots + [scopeNames, schemaNames])
        guard all.count <= most else { throw .tooManyScopes }
        return .some(all.elements)
    }

    /// True when a box of so many bytes holds keys of scopes.
    static func isBoxOfScopes(_ bytes: Int) -> Bool {
        let more = bytes - Role.relay.boxBytes
        return more > 0 && more.isMultiple(of: boxBytesOfScope)
    }

    /// All of them.
    case all
    /// These, ascending.
    case some([Bytes16])

    /// True when a root is among them.
    package func allows(_ root: ScopeID) -> Bool {
        switch self {
        case .all: true
        case .some(let scopes): scopes.contains(root)
        }
    }

    /// True when all that another one allows is among these.
    package func covers(_ other: ScopeGrant) -> Bool { intersection(other) == other }

    /// The scopes that both allow.
    func intersection(_ other: ScopeGrant) -> ScopeGrant {
        switch (self, other) {
        case (.all, _): other
        case (_, .all): self
        case (.some(let first), .some(let second)): .some(first.filter(second.contains))
        }
    }

    /// Bytes of a box for a device of a role that may read these scopes.
    package func boxBytes(_ role: Role) -> Int {
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
