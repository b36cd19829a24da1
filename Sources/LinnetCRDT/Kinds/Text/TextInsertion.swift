import LinnetWire

/// The side of its parent on which a scalar hangs: left children stand before it, right ones after.
package enum TextSide: UInt8, Sendable {
    /// Before the parent.
    case left = 0
    /// After the parent.
    case right = 1
}

/// The text that one op inserts: each scalar is the right child of the one before it.
///
/// This is the insertion of Weidner and Kleppmann, "The Art of the Fugue", Algorithm 1.
package struct TextInsertion: Equatable, Sendable {
    /// The scalar that the first one hangs on; nil for the start of the document.
    package let parent: TextID?
    /// The side of its parent; the start of the document has only a right side.
    package let side: TextSide
    /// The text, at least one scalar.
    package let string: String

    /// Joins the parts; without a parent the side is always the right one.
    package init(parent: TextID?, side: TextSide, string: String) {
        self.parent = parent
        self.side = parent == nil ? .right : side
        self.string = string
    }

    /// Returns true when all parts are the same, the text scalar by scalar.
    package static func == (left: TextInsertion, right: TextInsertion) -> Bool {
        left.parent == right.parent && left.side == right.side
            && left.string.utf8.elementsEqual(right.string.utf8)
    }

    /// Returns the canonical payload, at most `Limits.valueBytes` long.
    package func encoded() throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter(capacity: string.utf8.count + 48)
        writer.array(3)
        if let parent {
            writer.array(4)
            parent.write(to: &writer)
        } else {
            writer.null()
        }
        writer.unsigned(UInt64(side.rawValue))
        writer.text(string)
        guard writer.bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return writer.bytes
    }

    /// Reads a payload and nothing else.
    package static func decode(_ bytes: [UInt8]) throws(CRDTError) -> TextInsertion {
        guard bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return try wire { () throws(WireError) in
            var reader = CBORReader(bytes)
            try reader.array(exactly: 3)
            var parent: TextID?
            if try reader.peek() == .null {
                try reader.null()
            } else {
                try reader.array(exactly: 4)
                parent = try TextID(from: &reader)
            }
            let side = TextSide(
                rawValue: UInt8(truncatingIfNeeded: try reader.unsigned(max: 1)))
            let string = try reader.text()
            try reader.finish()
            guard let side, parent != nil || side == .right else { throw .nonCanonical }
            guard !string.isEmpty else { throw .badLength }
            return TextInsertion(parent: parent, side: side, string: string)
        }
    }
}
