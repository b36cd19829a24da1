package import LinnetWire

/// The batch that another one says again: of an ended life of the same device, whose disk lost it
/// before anybody else had it, or of another group that is joined to this one.
///
/// The operations count as those of the batch that is said again, at their old places, so that
/// nothing counts twice when that batch appears after all, or others say it again as well.
package struct Restatement: Equatable, Sendable {
    /// The group and the device that wrote a batch of another group.
    package struct Origin: Equatable, Sendable {
        /// The other group.
        package let group: GroupID
        /// The device as it was in that group.
        package let device: DeviceID

        /// Joins both.
        package init(group: GroupID, device: DeviceID) {
            (self.group, self.device) = (group, device)
        }
    }

    /// The writer of a batch of another group; nil where the device says one of its own again.
    package let origin: Origin?
    /// The life that wrote the batch.
    package let incarnation: Incarnation
    /// The batch's number in the chain of that life in the same scope.
    package let seq: UInt64
    /// The places that the operations had in it, ascending and distinct; nil when they are all that
    /// it held, each in its place.
    package let indices: [UInt32]?

    /// Names a batch and the places of the operations in it.
    package init(
        origin: Origin? = nil, incarnation: Incarnation, seq: UInt64, indices: [UInt32]?
    ) {
        self.origin = origin
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
    /// Appends [incarnation, sequence, [index, ...] or null], and before them the group and the
    /// device of a batch of another group.
    func write(to writer: inout CBORWriter) {
        writer.array(origin == nil ? 3 : 5)
        if let origin {
            writer.bytes(origin.group)
            writer.bytes(origin.device)
        }
        writer.bytes(incarnation)
        writer.unsigned(seq)
        guard let indices else { return writer.null() }
        writer.array(indices.count)
        for index in indices { writer.unsigned(UInt64(index)) }
    }

    /// Reads what `write` wrote.
    init(from reader: inout CBORReader, isOfAnotherGroup: Bool) throws(WireError) {
        try reader.array(exactly: isOfAnotherGroup ? 5 : 3)
        let origin =
            isOfAnotherGroup
            ? Origin(group: try reader.bytes32(), device: try reader.bytes32()) : nil
        let incarnation = try reader.bytes8()
        let seq = try reader.unsigned()
        guard try reader.peek() != .null else {
            try reader.null()
            self.init(origin: origin, incarnation: incarnation, seq: seq, indices: nil)
            return
        }
        var indices: [UInt32] = []
        for _ in 0..<(try reader.array(max: Limits.operationsPerBatch)) {
            indices.append(try reader.unsigned32())
        }
        self.init(origin: origin, incarnation: incarnation, seq: seq, indices: indices)
    }
}
