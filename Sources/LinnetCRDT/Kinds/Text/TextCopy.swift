package import LinnetWire

/// An insertion that is named by what it says, not by who made it.
///
/// Replicas that copy one text into one field, each for itself, make the same insertions, so their
/// copies merge into one: the "initial change" that replicas of a document share, with its actor
/// replaced by a hash. Whoever merges it checks the name: see the replication's merge rules.
package struct TextCopy: Equatable, Sendable {
    /// Stands for the author of the insertion: a hash of the rest.
    package let name: AuthorID
    /// The text, and what it hangs on.
    package let insertion: TextInsertion

    /// Joins the two.
    package init(name: AuthorID, insertion: TextInsertion) {
        self.name = name
        self.insertion = insertion
    }

    /// Where its scalars stand, whoever's op brings them.
    package var position: Position { Position(chain: name, seq: 1, index: 0) }

    /// The canonical payload [name, insertion], at most `Limits.valueBytes`.
    package func encoded() throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(name)
        writer.raw(try insertion.encoded())
        guard writer.bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return writer.bytes
    }

    /// Reads a payload and nothing else; the name is not checked.
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
