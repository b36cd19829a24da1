package import LinnetWire

/// The batch of an ended life of a device that a batch of a later life says again, since its disk
/// lost it before anybody else had it, or what follows it can no longer be reached.
///
/// The operations count as those of the batch that is said again, at their old places, so that
/// nothing counts twice when that batch appears after all.
package struct Restatement: Equatable, Sendable {
    /// The life that wrote the batch.
    package let incarnation: Incarnation
    /// The batch's number in the chain of that life in the same scope.
    package let seq: UInt64
    /// The places that the operations had in it, ascending and distinct; nil when they are all that
    /// it held, each in its place.
    package let indices: [UInt32]?

    /// Names a batch and the places of the operations in it.
    package init(incarnation: Incarnation, seq: UInt64, indices: [UInt32]?) {
        self.incarnation = incarnation
        self.seq = seq
        self.indices = indices
    }

    /// Returns the place that an operation had, by its place in the batch that says it again.
    package func index(of place: Int) -> UInt32 { indices?[place] ?? UInt32(place) }

    /// Throws unless the numbers are in their ranges and fit so many operations.
    func validate(operations: Int) throws(CRDTError) {
        guard (1...UInt64(Int64.max)).contains(seq) else { throw .badSequence }
        guard let indices else { return }
        guard indices.count == operations,
            zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .badAttribute }
    }
}

extension Restatement {
    /// Appends [incarnation, sequence, [index, ...] or null].
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(incarnation)
        writer.unsigned(seq)
        guard let indices else { return writer.null() }
        writer.array(indices.count)
        for index in indices { writer.unsigned(UInt64(index)) }
    }

    /// Reads what `write` wrote.
    init(from reader: inout CBORReader) throws(WireError) {
        try reader.array(exactly: 3)
        let incarnation = try reader.bytes8()
        let seq = try reader.unsigned()
        guard try reader.peek() != .null else {
            try reader.null()
            self.init(incarnation: incarnation, seq: seq, indices: nil)
            return
        }
        var indices: [UInt32] = []
        for _ in 0..<(try reader.array(max: Limits.operationsPerBatch)) {
            indices.append(try reader.unsigned32())
        }
        self.init(incarnation: incarnation, seq: seq, indices: indices)
    }
}
