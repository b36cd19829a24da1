package import LinnetWire

/// An insertion that is named by its content, not by its author.
///
/// Replicas that copy one text into one field, each for itself, make the same insertions, so that
/// their copies merge into one. It is like the "initial change" that replicas of a document share,
/// with its actor replaced by a hash. The name is checked where the copy is merged: see the
/// replication's merge rules.
package struct TextCopy: Equatable, Sendable {
    /// The name that stands for the author of the insertion: a hash of the rest.
    package let name: AuthorID
    /// The text, and the scalar that it hangs on.
    package let insertion: TextInsertion

    /// Joins the two.
    package init(name: AuthorID, insertion: TextInsertion) {
        self.name = name
        self.insertion = insertion
    }

    /// The position of its scalars, whoever's op brings them.
    package var position: Position { Position(chain: name, seq: 1, index: 0) }

    /// Returns the canonical payload [name, insertion], at most `Limits.valueBytes` long.
    package func encoded() throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(name)
        writer.raw(try insertion.encoded())
        guard writer.bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return writer.bytes
    }

    /// Reads a payload and nothing else, and does not check the name.
    package static func decode(_ bytes: [UInt8]) throws(CRDTError) -> TextCopy {
        guard bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        let (name, rest) = try wire { () throws(WireError) in
            var reader = CBORReader(bytes)
            try reader.array(exactly: 2)
            let name = try reader.bytes16()
            let rest = try reader.rawItem()
            try reader.finish()
            return (name, rest)
        }
        return TextCopy(name: name, insertion: try TextInsertion.decode(rest))
    }
}
