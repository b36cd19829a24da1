import LinnetWire

/// Consecutive scalars of one insertion.
package struct TextRange: Equatable, Sendable {
    /// The first scalar.
    package let start: TextID
    /// The number of scalars, at least 1; the offset after the last one fits 32 bits.
    package let count: UInt32

    /// Names the scalars; nil for none, or if the offset after the last one does not fit 32 bits.
    package init?(start: TextID, count: UInt32) {
        guard count > 0, !start.offset.addingReportingOverflow(count).overflow else { return nil }
        self.start = start
        self.count = count
    }

    /// Names the scalars of an insertion at these offsets; nil if there are none.
    init?(position: Position, offsets: Range<UInt32>) {
        guard !offsets.isEmpty else { return nil }
        start = TextID(position: position, offset: offsets.lowerBound)
        count = offsets.upperBound - offsets.lowerBound
    }

    /// The offsets within the insertion.
    var offsets: Range<UInt32> { start.offset..<start.offset + count }

    /// Returns both ranges as one if the other, which starts no earlier, overlaps or continues this
    /// one; nil if it does neither.
    func joined(with other: TextRange) -> TextRange? {
        guard start.position == other.start.position,
            other.start.offset <= offsets.upperBound
        else { return nil }
        let end = max(offsets.upperBound, other.offsets.upperBound)
        return TextRange(position: start.position, offsets: start.offset..<end)
    }
}

/// The scalars that one op deletes.
package struct TextDeletion: Equatable, Sendable {
    /// The ranges, ascending, none of which overlaps or continues the one before it.
    package let ranges: [TextRange]

    /// Takes the ranges in any order, overlapping or not.
    package init(_ ranges: [TextRange]) {
        self.ranges = TextDeletion.joined(ranges)
    }

    /// Returns the ranges in ascending order, with those that touch made one.
    static func joined(_ ranges: [TextRange]) -> [TextRange] {
        var joined: [TextRange] = []
        for range in ranges.sorted(by: { $0.start < $1.start }) {
            if let union = joined.last?.joined(with: range) {
                joined[joined.count - 1] = union
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// Returns the canonical payload, at most `Limits.valueBytes` long.
    package func encoded() throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter(capacity: ranges.count * 28 + 4)
        writer.array(ranges.count)
        for range in ranges {
            writer.array(5)
            range.start.write(to: &writer)
            writer.unsigned(UInt64(range.count))
        }
        guard writer.bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return writer.bytes
    }

    /// Reads a payload and nothing else.
    package static func decode(_ bytes: [UInt8]) throws(CRDTError) -> TextDeletion {
        guard bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return try wire { () throws(WireError) in
            var reader = CBORReader(bytes)
            var ranges: [TextRange] = []
            for _ in 0..<(try reader.array()) {
                try reader.array(exactly: 5)
                let start = try TextID(from: &reader)
                guard let range = TextRange(start: start, count: try reader.unsigned32())
                else { throw .tooLarge }
                if let last = ranges.last, last.start >= start || last.joined(with: range) != nil {
                    throw .nonCanonical
                }
                ranges.append(range)
            }
            try reader.finish()
            guard !ranges.isEmpty else { throw .badLength }
            return TextDeletion(ranges)
        }
    }
}
