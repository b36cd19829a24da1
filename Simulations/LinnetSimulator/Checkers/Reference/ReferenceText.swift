import LinnetCRDT

/// The text that insertions and deletions give: the tree of Weidner and Kleppmann, "The Art of the
/// Fugue", a node for each scalar, walked as it is defined.
struct ReferenceText {
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

    /// Left children, the scalar, right children; siblings in the order of their identifiers. What
    /// hangs on an unknown scalar does not show.
    func string() -> String {
        var (nodes, roots) = (nodes, roots)
        for (parent, side, first) in insertions {
            switch (parent, side) {
            case (nil, _): roots.append(first)
            case (let parent?, .left): nodes[parent]?.left.append(first)
            case (let parent?, .right): nodes[parent]?.right.append(first)
            }
        }
        var text = String.UnicodeScalarView()
        var steps = roots.sorted().reversed().map(Step.walk)
        while let step = steps.popLast() {
            switch step {
            case .write(let id):
                if let node = nodes[id], !deleted.contains(id) { text.append(node.scalar) }
            case .walk(let id):
                guard let node = nodes[id] else { continue }
                steps += node.right.sorted().reversed().map(Step.walk)
                steps.append(.write(id))
                steps += node.left.sorted().reversed().map(Step.walk)
            }
        }
        return String(text)
    }
}
