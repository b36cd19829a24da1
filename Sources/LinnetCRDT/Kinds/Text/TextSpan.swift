/// Consecutive scalars of one insertion in a text, either all deleted or all visible.
package struct TextSpan: Equatable, Sendable {
    /// The op that inserted them.
    package let position: Position
    /// Their offsets within that op.
    package private(set) var offsets: Range<UInt32>
    /// True when they are deleted, and so no longer part of the string.
    package let isDeleted: Bool

    /// Takes in the next span if it continues this one; false if it does not.
    fileprivate mutating func extend(by next: TextSpan) -> Bool {
        guard next.position == position, next.isDeleted == isDeleted,
            next.offsets.lowerBound == offsets.upperBound
        else { return false }
        offsets = offsets.lowerBound..<next.offsets.upperBound
        return true
    }
}

extension TextDocument {
    /// Returns the pieces of insertions as they stand in the text, deleted ones among them.
    ///
    /// The spans that are not deleted hold the string, scalar by scalar.
    package func spans() -> [TextSpan] {
        var spans: [TextSpan] = []
        var node = tree.order.first
        while node >= 0 {
            for span in tree[node].spans {
                let joined = spans.indices.last.map { spans[$0].extend(by: span) } ?? false
                if !joined { spans.append(span) }
            }
            node = tree.order.next(after: node)
        }
        return spans
    }
}

extension TextRun {
    fileprivate var spans: [TextSpan] {
        let ids = step == .offset ? [first] : (0..<count).map { id(at: $0) }
        let length = UInt32(truncatingIfNeeded: step == .offset ? count : 1)
        return ids.map {
            TextSpan(
                position: $0.position, offsets: $0.offset..<$0.offset &+ length,
                isDeleted: isDeleted)
        }
    }
}
