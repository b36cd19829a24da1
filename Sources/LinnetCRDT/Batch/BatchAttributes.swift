package import LinnetWire

/// The statements that a batch makes about itself inside its sealed body.
package struct BatchAttributes: Equatable, Sendable {
    /// A change of the author's version vector: the author holds everything through this batch.
    package struct Dependency: Equatable, Sendable {
        /// The index of the chain in the author table.
        package let author: Int
        /// The number of the last batch held, from 1.
        package let seq: UInt64
        /// The first bytes of that batch's id.
        package let prefix: Bytes8

        /// Names the last batch held of one chain.
        package init(author: Int, seq: UInt64, prefix: Bytes8) {
            self.author = author
            self.seq = seq
            self.prefix = prefix
        }
    }

    /// The dependencies within one scope, ascending by author index.
    package struct ScopeDependencies: Equatable, Sendable {
        /// The scope.
        package let scope: ScopeID
        /// The last batches held.
        package let heads: [Dependency]

        /// Joins the dependencies of a scope.
        package init(scope: ScopeID, heads: [Dependency]) {
            self.scope = scope
            self.heads = heads
        }
    }

    /// The number of parts of a commit that are in one scope.
    package struct PartScope: Equatable, Sendable {
        /// The scope.
        package let scope: ScopeID
        /// The number of parts in it, from 1.
        package let parts: UInt32

        /// Joins the facts.
        package init(scope: ScopeID, parts: UInt32) {
            self.scope = scope
            self.parts = parts
        }
    }

    /// An attribute of a later version, kept as it came.
    package struct Unknown: Equatable, Sendable {
        /// The attribute's number.
        package let key: UInt64
        /// Its canonical CBOR item.
        package let item: [UInt8]

        /// Keeps an attribute.
        package init(key: UInt64, item: [UInt8]) {
            self.key = key
            self.item = item
        }
    }

    /// The transaction that the batch is a part of; zero when the batch is all of it.
    package var commit: CommitID
    /// The number of this part, from 1.
    package var part: UInt32
    /// The number of parts that the transaction has, at most `Limits.partsPerCommit`.
    package var parts: UInt32
    /// The application's name for the transaction, 1 to 64 bytes.
    package var intent: [UInt8]?
    /// The version of the schema that its author used.
    package var schemaVersion: UInt32
    /// The stamp from which the operations count.
    package var baseStamp: Timestamp
    /// The authors that the body refers to by index: ascending, distinct.
    package var authors: [AuthorID]
    /// The batches that the author had received since its previous batch in this scope, ascending
    /// by scope.
    package var dependencies: [ScopeDependencies]
    /// The scopes of a commit that has several, ascending, so that whoever holds some of them knows
    /// what to wait for.
    package var partScopes: [PartScope]
    /// Attributes of later versions, ascending by number.
    package var unknown: [Unknown]

    /// The name of the transaction, given the id of this batch; a batch that is alone is named by
    /// the beginning of its id.
    package func name(of batch: BatchID) -> CommitID { isAlone ? batch.prefix16 : commit }

    /// The memory that the attributes take, in bytes, approximately.
    var footprint: Int {
        16 * authors.count + 24 * partScopes.count
            + dependencies.reduce(0) { $0 + 64 + 24 * $1.heads.count }
            + unknown.reduce(0) { $0 + 64 + $1.item.count }
    }

    /// True when the batch is a whole transaction without a name.
    var isAlone: Bool { parts == 1 && part == 1 && commit == .zero }

    /// Joins the parts.
    package init(
        commit: CommitID, part: UInt32 = 1, parts: UInt32 = 1, intent: [UInt8]? = nil,
        schemaVersion: UInt32, baseStamp: Timestamp, authors: [AuthorID] = [],
        dependencies: [ScopeDependencies] = [], partScopes: [PartScope] = [],
        unknown: [Unknown] = []
    ) {
        self.commit = commit
        self.part = part
        self.parts = parts
        self.intent = intent
        self.schemaVersion = schemaVersion
        self.baseStamp = baseStamp
        self.authors = authors
        self.dependencies = dependencies
        self.partScopes = partScopes
        self.unknown = unknown
    }

    /// Throws unless every attribute is within its range and in order.
    package func validate() throws(CRDTError) {
        guard part >= 1, part <= parts, parts <= Limits.partsPerCommit,
            (1...Limits.intentBytes).contains(intent?.count ?? 1),
            authors.count <= Limits.authorsPerBatch, isAscending(authors, by: \.self),
            isAscending(dependencies, by: \.scope),
            unknown.first.map({ $0.key > BatchAttributes.lastKnownKey }) ?? true,
            isAscending(unknown, by: \.key), isAscending(partScopes, by: \.scope),
            partScopes.isEmpty
                || partScopes.count > 1 && partScopes.allSatisfy({ $0.parts > 0 })
                    && partScopes.reduce(0, { $0 + UInt64($1.parts) }) == UInt64(parts)
        else { throw .badAttribute }
        for scope in dependencies {
            guard !scope.heads.isEmpty, isAscending(scope.heads, by: \.author),
                scope.heads.allSatisfy({
                    authors.indices.contains($0.author)
                        && (1...UInt64(Int64.max)).contains($0.seq)
                })
            else { throw .badAttribute }
        }
    }
}

/// Returns true when each element is above the one before it.
private func isAscending<Element>(
    _ elements: [Element], by key: (Element) -> some Comparable
) -> Bool {
    for place in elements.indices.dropFirst()
    where key(elements[place - 1]) >= key(elements[place]) {
        return false
    }
    return true
}
