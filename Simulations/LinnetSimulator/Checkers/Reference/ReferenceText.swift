import LinnetCRDT

/// The text that insertions and deletions give: the tree of Weidner and Kleppmann, "The Art of the
/// Fugue", a node for each scalar, walked as it is defined.
struct ReferenceText {
    /// A scalar by its name.
    struct Letter {
        let id: TextID
        let scalar: Unicode.Scalar
        let isDeleted: Bool
    }

    private struct Node {
        var scalar: Unicode.Scalar
        var left: [TextID] = []
        var right: [TextID] = []
    }

    private enum Step {
        case walk(TextID)
        case write(TextID)
    }

    private var nodes: [TextID: Node] = [:]
    private var roots: [TextID] = []
    private var deleted: Set<TextID> = []
    private var insertions: [(parent: TextID?, side: TextSide, first: TextID)] = []

    mutating func insert(_ text: String, under parent: TextID?, _ side: TextSide, at: Position) {
        // Copies of one text are one insertion.
        guard nodes[TextID(position: at, offset: 0)] == nil else { return }
        var previous: TextID?
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            let id = TextID(position: at, offset: UInt32(offset))
            nodes[id] = Node(scalar: scalar)
            if let previous {
                nodes[previous]?.right.append(id)
            } else {
                insertions.append((parent, side, id))
            }
            previous = id
        }
    }

    mutating func delete(_ position: Position, _ offsets: Range<UInt32>) {
        for offset in offsets { deleted.insert(TextID(position: position, offset: offset)) }
    }

    /// The scalars that show.
    func string() -> String {
        var text = String.UnicodeScalarView()
        for letter in letters() where !letter.isDeleted { text.append(letter.scalar) }
        return String(text)
    }

    /// All scalars, the deleted ones too: left children, the scalar, right children; siblings in
    /// the order of their identifiers. What hangs on an unknown scalar is left out.
    func letters() -> [Letter] {
        var (nodes, roots) = (nodes, roots)
        for (parent, side, first) in insertions {
            switch (parent, side) {
            case (nil, _): roots.append(first)
            case (let parent?, .left): nodes[parent]?.left.append(first)
            case (let parent?, .right): nodes[parent]?.right.append(first)
            }
        }
        var letters: [Letter] = []
        var steps = roots.sorted().reversed().map(Step.walk)
        while let step = steps.popLast() {
            switch step {
            case .write(let id):
                guard let node = nodes[id] else { continue }
                letters.append(
                    Letter(id: id, scalar: node.scalar, isDeleted: deleted.contains(id)))
            case .walk(let id):
                guard let node = nodes[id] else { continue }
                steps += node.right.sorted().reversed().map(Step.walk)
                steps.append(.write(id))
                steps += node.left.sorted().reversed().map(Step.walk)
            }
        }
        return letters
    }
}

extension ReferenceText {
    /// The text that operations on one life of a field give.
    init(_ operations: [ReferenceOperation]) {
        for operation in operations {
            func meaning(_ id: TextID) -> TextID {
                TextID(position: operation.meaning(of: id.position), offset: id.offset)
            }
            switch operation.entry.statement {
            case .insertion(let insertion):
                insert(
                    insertion.string, under: insertion.parent.map(meaning), insertion.side,
                    at: operation.place)
            case .copy(let copy):
                insert(
                    copy.insertion.string, under: copy.insertion.parent, copy.insertion.side,
                    at: copy.position)
            case .deletion(let deletion):
                for range in deletion.ranges {
                    let first = range.start.offset
                    delete(meaning(range.start).position, first..<first + range.count)
                }
            default: continue
            }
        }
    }
}
