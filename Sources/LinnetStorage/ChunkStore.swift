package import LinnetWire

/// The part of a store that keeps the chunks of files, which are sealed by who made them.
package protocol ChunkStore: AnyObject, Sendable {
    /// Returns true when a chunk is kept.
    func hasChunk(_ name: Bytes32) throws(StorageError) -> Bool

    /// Returns a chunk as it was kept, or nil; nobody has compared it with its name.
    func chunk(_ name: Bytes32) throws(StorageError) -> [UInt8]?

    /// Keeps a chunk that is not kept yet; true when it was new.
    func putChunk(_ name: Bytes32, _ bytes: [UInt8]) throws(StorageError) -> Bool

    /// Forgets a chunk and that it was loose.
    func removeChunk(_ name: Bytes32) throws(StorageError)

    /// Returns the number of chunks and of their bytes.
    func chunkTotals() throws(StorageError) -> Totals

    /// Notes that no record names a chunk yet, but the file that `owner` attaches will.
    func loosen(_ name: Bytes32, owner: Int64) throws(StorageError)

    /// Returns true when no record names a chunk, as far as is noted.
    func isLoose(_ name: Bytes32) throws(StorageError) -> Bool

    /// Notes that a record names a chunk.
    func fasten(_ name: Bytes32) throws(StorageError)

    /// Notes that a record names the chunks of an owner, in the transaction that writes it; whoever
    /// else was to name them may give up.
    func fasten(owner: Int64) throws(StorageError)

    /// Notes that some owners will name a chunk no more.
    func release(_ name: Bytes32, owners: ClosedRange<Int64>) throws(StorageError)

    /// Returns loose chunks of some owners, at most `limit`.
    func looseChunks(
        of owners: ClosedRange<Int64>, limit: Int
    ) throws(StorageError) -> [Bytes32]

    /// Returns the largest owner of a loose chunk; 0 if there is none.
    func lastLooseOwner() throws(StorageError) -> Int64
}
