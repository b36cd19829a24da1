package import LinnetCrypto
package import LinnetWire

/// The keys by which the scopes and schemas of a group are named; who has them reads nothing.
package struct NamingKeys: Sendable {
    /// The key of the names of scopes.
    package let scopes: SharedSecret
    /// The key of the names of schemas.
    package let schemas: SharedSecret

    /// Derives them from the data key of the group's first epoch.
    package init(firstDataKey: borrowing SecretBytes) {
        scopes = SharedSecret(KeyDerivation.derive(firstDataKey, .scope, []))
        schemas = SharedSecret(KeyDerivation.derive(firstDataKey, .schema, []))
    }

    /// Takes them from the box of a device that is bound to scopes.
    fileprivate init?(_ keys: EpochKeys) {
        guard let scopes = keys.scopeKeys[ScopeGrant.scopeNames],
            let schemas = keys.scopeKeys[ScopeGrant.schemaNames]
        else { return nil }
        (self.scopes, self.schemas) = (scopes, schemas)
    }

    /// Returns the opaque name of a scope within the group.
    package func scope(_ name: String) -> ScopeID {
        ExactLength.bytes16(Hash.keyed(by: scopes.bytes, nil, Array(name.utf8), count: 16))
    }
}

extension KeyRing {
    /// The keys of the names in a group; nil until they are held. A device that is bound to scopes
    /// has them in its boxes.
    package func naming(in log: MembershipLog) -> NamingKeys? {
        if let first = firstDataKey(in: log) { return NamingKeys(firstDataKey: first.bytes) }
        return epochs.lazy.compactMap(NamingKeys.init).first
    }
}
