import LinnetCRDT
package import LinnetWire

/// A batch of another group on its way into this one: its content, which names the scopes as the
/// other group did, and what these are called.
package struct BroughtBatch: Equatable, Sendable {
    /// A scope of the other group.
    package struct ScopeName: Equatable, Sendable {
        /// Its id in that group.
        package let id: ScopeID
        /// Its name, which is the same in both groups.
        package let name: String

        /// Joins both.
        package init(id: ScopeID, name: String) {
            (self.id, self.name) = (id, name)
        }
    }

    /// The scope in which it lies.
    package let scope: String
    /// The scopes that its attributes name, ascending.
    package let names: [ScopeName]
    /// Its plaintext, at most `Limits.batchPlaintextBytes`, which says whose batch it is.
    package let plaintext: [UInt8]

    /// Joins the parts.
    package init(scope: String, names: [ScopeName], plaintext: [UInt8]) {
        (self.scope, self.names, self.plaintext) = (scope, names, plaintext)
    }
}

/// The reason why another group cannot be merged into this one; nothing was changed.
package enum MergeFault: Error, Equatable, Sendable {
    /// Both groups are the same.
    case sameGroup
    /// A device of the other group wrote two histories.
    case forked(DeviceID)
    /// A batch of this device of the other group is damaged there.
    case damaged(DeviceID)
    /// A batch of this device of the other group leaves no room for what is said of it.
    case tooLarge(DeviceID)
    /// Batches of the other group are folded there, and cannot be said again.
    case compacted
    /// The bytes are no batch of another group.
    case notABatch
}

/// The numbers of batches that a merge brought.
package struct MergeCounts: Equatable, Sendable {
    /// The batches that were not here before.
    package var brought: UInt64 = 0
    /// The changes in them.
    package var operations: UInt64 = 0
    /// The batches that somebody had brought before.
    package var known: UInt64 = 0

    /// Joins the numbers.
    package init(brought: UInt64 = 0, operations: UInt64 = 0, known: UInt64 = 0) {
        (self.brought, self.operations, self.known) = (brought, operations, known)
    }

    /// Counts both together.
    package static func + (left: MergeCounts, right: MergeCounts) -> MergeCounts {
        MergeCounts(
            brought: left.brought + right.brought,
            operations: left.operations + right.operations, known: left.known + right.known)
    }
}

extension BatchAttributes {
    /// Returns them with other ids for scopes. Dependencies in scopes without one are left out; of
    /// a commit with parts in such a scope, each part stands alone.
    func renamed(_ id: (ScopeID) -> ScopeID?) -> BatchAttributes {
        var renamed = self
        var heads: [(scope: ScopeID, author: AuthorID, head: Dependency)] = []
        for scope in dependencies {
            guard let id = id(scope.scope) else { continue }
            for head in scope.heads { heads.append((id, authors[head.author], head)) }
        }
        let table = OrderedSet(heads.map(\.author))
        renamed.authors = table.elements
        var scopes: OrderedTable<ScopeID, [Dependency]> = OrderedTable()
        for (scope, author, head) in heads {
            scopes[scope, default: []].append(
                Dependency(
                    author: table.lowerBound(of: author), seq: head.seq, prefix: head.prefix))
        }
        renamed.dependencies = scopes.map {
            ScopeDependencies(scope: $0.key, heads: $0.value.sorted { $0.author < $1.author })
        }
        let parts = partScopes.compactMap { part in
            id(part.scope).map { PartScope(scope: $0, parts: part.parts) }
        }
        guard parts.count == partScopes.count else { return renamed.alone }
        renamed.partScopes = parts.sorted { $0.scope < $1.scope }
        return renamed
    }
}
