import LinnetWire

/// The outcome of a compaction.
package struct ControlCompaction: ControlAnswer, ControlStruct, Equatable {
    package static let number: UInt64 = 164
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.folded, \.kept, \.keptBytes, \.records, \.recordBytes, \.holdbacks)
    }

    /// The transactions that were folded.
    package var folded: UInt64
    /// The transactions that stay as they were written.
    package var kept: UInt64
    /// Their bytes.
    package var keptBytes: UInt64
    /// The records that stand for those that are folded.
    package var records: UInt64
    /// Their bytes.
    package var recordBytes: UInt64
    /// The sentences that say what held more back.
    package var holdbacks: [String]

    /// Joins the numbers.
    package init(
        folded: UInt64, kept: UInt64, keptBytes: UInt64, records: UInt64, recordBytes: UInt64,
        holdbacks: [String]
    ) {
        (self.folded, self.kept, self.keptBytes) = (folded, kept, keptBytes)
        (self.records, self.recordBytes, self.holdbacks) = (records, recordBytes, holdbacks)
    }
}
