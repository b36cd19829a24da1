package import LinnetWire

/// The place of an op: its author's chain, the batch's sequence number and the index in the batch.
///
/// Chains compare bytewise. The order of positions decides between ops of one timestamp.
package struct Position: Hashable, Comparable, Sendable {
    /// The author, or after a fork the name of the branch.
    package let chain: AuthorID
    /// The batch's number within its chain, from 1.
    package let seq: UInt64
    /// The op's index within the batch, from 0.
    package let index: UInt32

    /// Names one op.
    package init(chain: AuthorID, seq: UInt64, index: UInt32) {
        self.chain = chain
        self.seq = seq
        self.index = index
    }

    /// Orders by chain, then sequence number, then index.
    package static func < (left: Position, right: Position) -> Bool {
        if left.chain != right.chain { return left.chain < right.chain }
        if left.seq != right.seq { return left.seq < right.seq }
        return left.index < right.index
    }
}
