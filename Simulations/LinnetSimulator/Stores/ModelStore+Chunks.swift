package import LinnetStorage
package import LinnetWire

/// The chunks of files, and those that no record names yet with the files that will.
struct ModelChunks {
    var kept: OrderedTable<Bytes32, [UInt8]> = OrderedTable()
    var loose: OrderedTable<Bytes32, OrderedSet<Int64>> = OrderedTable()
}

// The chunks of files.
extension ModelStore {
    /// True when a chunk is kept.
    package func hasChunk(_ name: Bytes32) throws(StorageError) -> Bool {
        tables.chunks.kept[name] != nil
    }

    /// A chunk as it was kept, or nil.
    package func chunk(_ name: Bytes32) throws(StorageError) -> [UInt8]? {
        tables.chunks.kept[name]
    }

    /// Keeps a chunk that is not kept yet; true when it was new.
    package func putChunk(_ name: Bytes32, _ bytes: [UInt8]) throws(StorageError) -> Bool {
        checkTransaction()
        if tables.chunks.kept[name] != nil { return false }
        note(.chunks(tables.chunks))
        tables.chunks.kept[name] = bytes
        return true
    }

    /// Forgets a chunk and that it was loose.
    package func removeChunk(_ name: Bytes32) throws(StorageError) {
        checkTransaction()
        note(.chunks(tables.chunks))
        tables.chunks.kept[name] = nil
        tables.chunks.loose[name] = nil
    }

    /// The number of chunks and of their bytes.
    package func chunkTotals() throws(StorageError) -> Totals {
        let kept = tables.chunks.kept.values
        return Totals(count: kept.count, bytes: kept.reduce(0) { $0 + $1.count })
    }

    /// Notes that no record names a chunk yet, but the file that `owner` attaches will.
    package func loosen(_ name: Bytes32, owner: Int64) throws(StorageError) {
        checkTransaction()
        note(.chunks(tables.chunks))
        tables.chunks.loose[name, default: OrderedSet()].insert(owner)
    }

    /// True when no record names a chunk.
    package func isLoose(_ name: Bytes32) throws(StorageError) -> Bool {
        tables.chunks.loose[name] != nil
    }

    /// Notes that a record names a chunk.
    package func fasten(_ name: Bytes32) throws(StorageError) {
        checkTransaction()
        note(.chunks(tables.chunks))
        tables.chunks.loose[name] = nil
    }

    /// Notes that a record names the chunks of an owner.
    package func fasten(owner: Int64) throws(StorageError) {
        checkTransaction()
        note(.chunks(tables.chunks))
        tables.chunks.loose.removeAll { $1.contains(owner) }
    }

    /// Notes that some owners will name a chunk no more.
    package func release(
        _ name: Bytes32, owners: ClosedRange<Int64>
    ) throws(StorageError) {
        checkTransaction()
        note(.chunks(tables.chunks))
        let left = (tables.chunks.loose[name]?.elements ?? []).filter { !owners.contains($0) }
        tables.chunks.loose[name] = left.isEmpty ? nil : OrderedSet(left)
    }

    /// Loose chunks of some owners, at most `limit`.
    package func looseChunks(
        of owners: ClosedRange<Int64>, limit: Int
    ) throws(StorageError) -> [Bytes32] {
        let found = tables.chunks.loose.filter { $0.value.contains(where: owners.contains) }
        return Array(found.prefix(limit).map(\.key))
    }

    /// The largest owner of a loose chunk; 0 if there is none.
    package func lastLooseOwner() throws(StorageError) -> Int64 {
        tables.chunks.loose.values.compactMap(\.last).max() ?? 0
    }
}
