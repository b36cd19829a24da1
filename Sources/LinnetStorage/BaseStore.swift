package import LinnetWire

/// A record of the base: what the batches below the floors of their chains came to, which are not
/// kept any more. It is sealed by who made it.
package struct BaseRow: Equatable, Sendable {
    /// The record.
    package let name: RecordName
    /// The scope of its batches.
    package let scope: ScopeID
    /// The state of the record, sealed.
    package let sealed: [UInt8]

    /// Joins the parts.
    package init(name: RecordName, scope: ScopeID, sealed: [UInt8]) {
        self.name = name
        self.scope = scope
        self.sealed = sealed
    }
}

/// A base of one's own, or one that comes from another device and is not whole yet.
package enum BaseShelf: Int64, Sendable {
    case own = 0
    case arriving = 1
}

/// The part of a store that keeps records as batches left them that are gone.
package protocol BaseStore: AnyObject, Sendable {
    /// Keeps a record of a base over the one before.
    func putBase(_ row: BaseRow, on shelf: BaseShelf) throws(StorageError)

    /// Returns a record of a base as it was kept, or nil.
    func base(of name: RecordName, on shelf: BaseShelf) throws(StorageError) -> BaseRow?

    /// Returns records of a base by collection and the bytes of the identifier, those that follow
    /// `after`, at most `limit`.
    func bases(
        after: RecordName?, limit: Int, on shelf: BaseShelf
    ) throws(StorageError) -> [BaseRow]

    /// Returns the number of records of a base and their bytes.
    func baseTotals(on shelf: BaseShelf) throws(StorageError) -> Totals

    /// Forgets the records of a base, those of one scope or all when nil.
    func removeBases(scope: ScopeID?, on shelf: BaseShelf) throws(StorageError)

    /// Makes the records of the base that came one's own, each in the place of the one before.
    func adoptArrivedBases() throws(StorageError)

    /// Keeps the last sequence of a chain that the base holds; 0 where it holds none.
    func setFloor(of chain: Int64, _ seq: UInt64) throws(StorageError)

    /// Forgets the batches of a chain below a sequence, whose row the caller writes anew.
    func removeBatches(chain: Int64, below seq: UInt64) throws(StorageError)
}
