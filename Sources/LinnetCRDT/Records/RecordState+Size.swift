/// Records that are larger than a device can be asked to hold. A few thousand bytes that a member
/// sends can make a record of any size, since what repeats is compressed.
extension RecordState {
    /// The largest row, in bytes; the store takes none of 64 MiB. A record whose row would be
    /// larger is set aside.
    package static let largestRow = 63 << 20

    /// The memory that the state takes, in bytes, approximately.
    package var footprint: Int {
        256 + contents.footprint + 4 * restored.count
            + 40 * (deletion?.context.lasts.count ?? 0)
    }

    /// True when the contents of the record as it stands were set aside.
    package var isSetAside: Bool { isSetAside(generation) }

    /// Lets go of the contents of a record whose row no store takes; true when it did. Everything
    /// else goes on without it, and a later life of the record begins with nothing.
    package mutating func setAsideIfTooLarge() -> Bool {
        // The row is hardly ever larger than the memory that the record takes.
        guard footprint > Self.largestRow, RecordRow.encode(self).count > Self.largestRow
        else { return false }
        setAside(upTo: generation)
        return true
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
