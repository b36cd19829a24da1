package import LinnetWire

/// A text that several replicas edit at a time: Fugue, without interleaving.
///
/// Weidner and Kleppmann, "The Art of the Fugue", Algorithm 1, in its tree form. The state is a
/// function of the set of ops, whatever the order in which they came.
package struct TextDocument: Equatable, Sendable {
    private var insertions = OrderedTable<Position, TextInsertion>()
    private var deletions: [TextRange] = []

    /// An empty text.
    package init() {}

    /// The text.
    package var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: walk().filter { !$0.deleted }.map(\.scalar))
        return String(view)
    }

    /// Number of Unicode scalars.
    package var scalarCount: Int { string.unicodeScalars.count }

    /// Number of characters as people count them (extended grapheme clusters).
    package var characterCount: Int { string.count }

    /// Merges the insertion that stands at a position; false if it was there.
    package mutating func insert(_ insertion: TextInsertion, at position: Position) -> Bool {
        guard !insertion.string.isEmpty, insertions[position] == nil else { return false }
        insertions[position] = insertion
        return true
    }

    /// Merges a deletion; false if nothing changed.
    package mutating func delete(_ deletion: TextDeletion) -> Bool {
        let joined = TextDeletion.joined(deletions + deletion.ranges)
        defer { deletions = joined }
        return joined != deletions
    }

    /// Merges the op that a local edit asked for and that now stands at a position.
    package mutating func apply(_ edit: TextEdit, at position: Position) -> Bool {
        switch edit {
        case .insert(let insertion): insert(insertion, at: position)
        case .delete(let deletion): delete(deletion)
        }
    }

    /// Merges another state of the same text.
    package mutating func merge(_ other: TextDocument) {
        for (position, insertion) in other.insertions { _ = insert(insertion, at: position) }
        _ = delete(TextDeletion(other.deletions))
    }

    /// The ops that delete characters and insert text in their place, deletions first.
    ///
    /// Offsets count characters (extended grapheme clusters). Nothing is applied.
    package func edit(
        at characterOffset: Int, deleting count: Int, inserting text: String
    ) throws(TextError) -> [TextEdit] {
        let characters = Array(string)
        guard characterOffset >= 0, count >= 0, count <= characters.count,
            characterOffset <= characters.count - count
        else { throw .outOfRange }
        let scalars = { (part: ArraySlice<Character>) in
            part.reduce(0) { $0 + $1.unicodeScalars.count }
        }
        return try edit(
            atScalar: scalars(characters[..<characterOffset]),
            deleting: scalars(characters[characterOffset..<characterOffset + count]),
            inserting: text)
    }

    /// The same with offsets that count Unicode scalars, and so may tear characters.
    package func edit(
        atScalar offset: Int, deleting count: Int, inserting text: String
    ) throws(TextError) -> [TextEdit] {
        let all = walk()
        let visible = all.indices.filter { !all[$0].deleted }
        guard offset >= 0, count >= 0, count <= visible.count, offset <= visible.count - count
        else { throw .outOfRange }
        var edits: [TextEdit] = []
        if count > 0 {
            let ranges = visible[offset..<offset + count].compactMap {
                TextRange(start: all[$0].id, count: 1)
            }
            edits.append(.delete(TextDeletion(ranges)))
        }
        if !text.isEmpty {
            let parent = offset == 0 ? nil : all[visible[offset - 1]].id
            if children(of: parent, .right).isEmpty {
                edits.append(.insert(TextInsertion(parent: parent, side: .right, string: text)))
            } else {
                let next = offset == 0 ? 0 : visible[offset - 1] + 1
                edits.append(
                    .insert(TextInsertion(parent: all[next].id, side: .left, string: text)))
            }
        }
        return edits
    }

    /// The ops that turn the text into another one, characters that stay untouched.
    package func edit(to newText: String) -> [TextEdit] {
        let old = Array(string)
        let new = Array(newText)
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let most = min(old.count, new.count) - prefix
        let suffix = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(most).count
        let text = String(new[prefix..<new.count - suffix])
        let edits = try? edit(
            at: prefix, deleting: old.count - prefix - suffix, inserting: text)
        return edits ?? []
    }

    /// Adds the chains that the state refers to.
    package func collectChains(into chains: inout [AuthorID]) {
        for (position, insertion) in insertions {
            chains.append(position.chain)
            if let parent = insertion.parent { chains.append(parent.position.chain) }
        }
        chains.append(contentsOf: deletions.map(\.start.position.chain))
    }

    /// Writes the state; a chain is written as its index.
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        writer.array(insertions.count + 1)
        writer.bytes((try? TextDeletion(deletions).encoded()) ?? [])
        for (position, insertion) in insertions {
            writer.array(2)
            position.write(to: &writer)
            writer.bytes((try? insertion.encoded()) ?? [])
        }
    }

    /// Reads what `write` wrote.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        let count = try reader.array()
        guard count > 0, let deletion = try? TextDeletion.decode(try reader.bytes())
        else { throw .truncated }
        deletions = deletion.ranges
        for _ in 1..<count {
            try reader.array(exactly: 2)
            let position = try Position(from: &reader)
            guard let insertion = try? TextInsertion.decode(try reader.bytes())
            else { throw .truncated }
            insertions[position] = insertion
        }
    }

    private struct Element {
        let id: TextID
        let scalar: Unicode.Scalar
        let deleted: Bool
    }

    private func children(of parent: TextID?, _ side: TextSide) -> [TextID] {
        var ids = insertions.filter { $0.value.parent == parent && $0.value.side == side }
            .map { TextID(position: $0.key, offset: 0) }
        if side == .right, let parent, let insertion = insertions[parent.position],
            Int(parent.offset) + 1 < insertion.string.unicodeScalars.count
        {
            ids.append(TextID(position: parent.position, offset: parent.offset + 1))
        }
        return ids.sorted()
    }

    private func walk() -> [Element] {
        var elements: [Element] = []
        func visit(_ id: TextID?) {
            if id != nil { children(of: id, .left).forEach(visit) }
            if let id, let string = insertions[id.position]?.string {
                let scalar = Array(string.unicodeScalars)[Int(id.offset)]
                let deleted = deletions.contains {
                    $0.start.position == id.position && $0.offsets.contains(id.offset)
                }
                elements.append(Element(id: id, scalar: scalar, deleted: deleted))
            }
            children(of: id, .right).forEach(visit)
        }
        visit(nil)
        return elements
    }
}
