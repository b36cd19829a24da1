/// A single value that the replica keeps beside its tables; sealed, and meaningless to the store.
package enum MetaKey: String, CaseIterable, Sendable {
    /// The group this device belongs to.
    case group
    /// The incarnation that new batches carry.
    case incarnation
    /// The hybrid logical clock's last timestamp.
    case clock
    /// The epoch keys this device holds.
    case keyRing = "key-ring"
    /// The scopes that this replica wants.
    case scopes
    /// The wanted scopes of which this replica knows everything that its group had.
    case knownScopes = "known-scopes"
    /// The keys that others handed to this device, which is bound to scopes.
    case handedKeys = "handed-keys"
    /// The members that said that they read batches which are sealed by scope.
    case scopedReaders = "scoped-readers"
    /// Tries, lifetimes and lock-outs of pairing.
    case pairingCounters = "pairing-counters"
    /// The schema that the records were folded with.
    case schema
    /// The fields that records are found by.
    case indexes
    /// The collections that the application declared.
    case application
    /// The notices for a person, and the clocks of other devices as they were found.
    case notices
    /// The collections that the group's devices published, as they were used last.
    case groupSchema = "group-schema"
    /// The batches of ended lives that show in the place of others.
    case restatements
    /// The late batches that a person does not want to see listed.
    case droppedLate = "dropped-late"
    /// The questions about the group that a person was asked, and her answers.
    case questions
    /// The recovery key of a group that this device founded, until a phrase replaces it.
    case foundingKey = "founding-key"
    /// The time at which a person last showed that the recovery phrase is right.
    case recoveryTested = "recovery-tested"
    /// The name of the base that comes from another device.
    case arrivingBase = "arriving-base"
    /// The mailboxes, and how far each was filled and read.
    case mailboxes
    /// Whatever else the replica must find again after a restart.
    case replica
}

/// The statements on single values.
struct MetaTable: ~Copyable {
    let select: Statement
    let upsert: Statement
    let delete: Statement

    init(_ connection: borrowing Connection) {
        select = connection.prepare(
            "SELECT version, sealed FROM meta WHERE key = ?", place: "meta")
        upsert = connection.prepare(
            "INSERT OR REPLACE INTO meta (key, version, sealed) VALUES (?, ?, ?)", place: "meta")
        delete = connection.prepare("DELETE FROM meta WHERE key = ?", place: "meta")
    }
}

extension SQLiteStore {
    /// The bytes kept under a key, or nil.
    package func value(_ key: MetaKey) throws(StorageError) -> [UInt8]? {
        try file.meta.select.firstRow(.text(key.rawValue)) { (row) throws(StorageError) in
            try file.sealer.open(
                .meta, Array(key.rawValue.utf8), try row.bytes(1), version: try row.number(0))
        }
    }

    /// Keeps bytes under a key; nil forgets them.
    package func setValue(_ key: MetaKey, _ value: [UInt8]?) throws(StorageError) {
        checkTransaction()
        guard let value else {
            return try file.meta.delete.run(.text(key.rawValue))
        }
        let sealed = file.sealer.seal(.meta, Array(key.rawValue.utf8), value)
        try file.meta.upsert.run(
            .text(key.rawValue), .integer(Int64(SealedTable.rowVersion)), .bytes(sealed))
    }
}
