package import LinnetCRDT
package import LinnetReplication
package import LinnetWire

/// The receipt of writes.
package struct ControlReceipt: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 121
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init(commit:batches:operations:repeated:outcome:), \.commit, \.batches,
            \.operations, \.repeated, \.outcome)
    }

    /// The commit.
    package var commit: CommitID
    /// The number of its batches.
    package var batches: UInt64
    /// The number of its operations.
    package var operations: UInt64
    /// True when the intent had been performed before, and nothing was done now.
    package var repeated: Bool
    /// The outcome: whether what was written shows.
    package var outcome: WriteOutcome

    /// Joins the facts.
    package init(
        commit: CommitID, batches: UInt64, operations: UInt64, repeated: Bool,
        outcome: WriteOutcome
    ) {
        self.commit = commit
        self.batches = batches
        self.operations = operations
        self.repeated = repeated
        self.outcome = outcome
    }

    /// Takes over what a commit came to, with the names of a schema.
    package init(_ receipt: CommitReceipt, in schema: Schema) {
        self.init(
            commit: receipt.commit, batches: UInt64(receipt.batches),
            operations: UInt64(receipt.operations), repeated: receipt.repeated,
            outcome: WriteOutcome(receipt, in: schema))
    }
}

extension HiddenWrite: ControlStruct {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.collection, \.id, \.field, \.reason)
    }
}

extension WriteOutcome: ControlCodable {
    package func write(to writer: inout CBORWriter) {
        switch self {
        case .visible: writer.variant(0)
        case .unchanged: writer.variant(1)
        case .hidden(let writes, let count): writer.variant(2, writes, count)
        case .unknown: writer.variant(3)
        }
    }

    package static func read(from reader: inout CBORReader) throws(WireError) -> WriteOutcome {
        let variant = try reader.variant()
        switch variant.number {
        case 0: return try reader.whole(variant, .visible)
        case 1: return try reader.whole(variant, .unchanged)
        case 2: return try reader.parts(of: variant, WriteOutcome.hidden)
        case 3: return try reader.whole(variant, .unknown)
        default: throw .unexpectedType
        }
    }
}
