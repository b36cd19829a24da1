/// Records that are larger than a device can be asked to hold. A few thousand bytes that a member
/// sends can make a record of any size, since what repeats is compressed.
extension RecordState {
    /// The memory that the state takes, in bytes, approximately.
    package var footprint: Int {
        256 + contents.footprint + 4 * restored.count
            + 40 * (deletion?.context.lasts.count ?? 0)
    }

    /// True when the contents of the record as it stands were set aside.
    package var isSetAside: Bool { isSetAside(generation) }

    /// Lets go of the contents of a record whose row would have more than `largest` bytes; true
    /// when it did. Everything else goes on without it, and a later life of the record begins with
    /// nothing.
    package mutating func setAside(beyond largest: Int) -> Bool {
        // The row is hardly ever larger than the memory that the record takes, and writing a large
        // one to measure it takes long.
        guard footprint > largest, rowBytesAtMost ?? .max > largest,
            RecordRow.encode(self).count > largest
        else { return false }
        setAside(upTo: generation)
        return true
    }

    /// The bytes of the row, or more; nil where only writing it tells.
    private var rowBytesAtMost: Int? {
        guard deletion == nil else { return nil }
        return contents.rowBytesAtMost.map { 256 + 8 * restored.count + $0 }
    }

    mutating func setAside(upTo last: UInt32) {
        setAsideUpTo = max(setAsideUpTo, last)
        generation = max(generation, last)
        contents = FieldContents()
        deletion = nil
    }

    /// Returns true when the life of a generation began with one that was set aside.
    func isSetAside(_ generation: UInt32) -> Bool {
        setAsideUpTo > 0 && beginning(of: generation) <= setAsideUpTo
    }
}

extension OperationKind {
    /// True when it ends or continues a life of a record, and leaves what it holds as it is.
    var isOnLives: Bool { self == .recordDelete || self == .recordRestore }
}
