/// The progress of long work.
package struct ControlProgress: ControlStruct, Equatable {
    package static var form: ControlForm<Self> {
        ControlForm({ Self(done: $0, of: $1, found: $2) }, \.done, \.total, \.found)
    }

    /// The work done: bytes of a copy, records that are read, hundredths of the batches of an
    /// exchange or of the changes of a commit.
    package var done: Int
    /// The work that there is to do, in the same unit.
    package var total: Int
    /// The records in the answer among those that were read so far; nil where none are read.
    package var found: Int?

    /// Joins the counts.
    package init(done: Int, of total: Int, found: Int? = nil) {
        self.done = done
        self.total = total
        self.found = found
    }
}
