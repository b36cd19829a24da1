import LinnetCRDT

/// Fugue straight from the paper, element by element: the text of a set of ops, found anew each
/// time by walking the tree.
struct NaiveText {
    enum Siblings {
        /// The paper's order: by id.
        case ascending
        /// That of RGA-like lists for right children: the newest first.
        case descending
    }

    struct Element {
        let id: TextID
        let scalar: Unicode.Scalar
        let isDeleted: Bool
    }

    private(set) var insertions: [Position: TextInsertion] = [:]
    private(set) var deleted: Set<TextID> = []
    var siblings = Siblings.ascending

    mutating func apply(_ edit: TextEdit, at position: Position) {
        switch edit {
        case .insert(let insertion): insertions[position] = insertion
        case .delete(let deletion):
            for range in deletion.ranges {
                for offset in 0..<range.count {
                    let id = TextID(
                        position: range.start.position, offset: range.start.offset + offset)
                    deleted.insert(id)
                }
            }
        }
    }

    mutating func formUnion(_ other: NaiveText) {
        insertions.merge(other.insertions) { mine, _ in mine }
        deleted.formUnion(other.deleted)
    }

    var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: elements().filter { !$0.isDeleted }.map(\.scalar))
        return String(view)
    }

    /// All elements that can be reached, in order.
    func elements() -> [Element] {
        var children: [Link: [TextID]] = [:]
        var scalars: [TextID: Unicode.Scalar] = [:]
        for (position, insertion) in insertions {
            var link = Link(parent: insertion.parent, side: insertion.side)
            for (offset, scalar) in insertion.string.unicodeScalars.enumerated() {
                let id = TextID(position: position, offset: UInt32(offset))
                children[link, default: []].append(id)
                scalars[id] = scalar
                link = Link(parent: id, side: .right)
            }
        }
        func sorted(_ parent: TextID?, _ side: TextSide) -> [TextID] {
            let ids = (children[Link(parent: parent, side: side)] ?? []).sorted()
            return siblings == .descending && side == .right ? ids.reversed() : ids
        }
        enum Step {
            case visit(TextID?)
            case emit(TextID)
        }
        var result: [Element] = []
        var stack: [Step] = [.visit(nil)]
        while let step = stack.popLast() {
            switch step {
            case .emit(let id):
                guard let scalar = scalars[id] else { continue }
                result.append(Element(id: id, scalar: scalar, isDeleted: deleted.contains(id)))
            case .visit(let id):
                let left = id == nil ? [] : sorted(id, .left)
                let emit = id.map { [Step.emit($0)] } ?? []
                let inOrder =
                    left.map { Step.visit($0) } + emit
                    + sorted(id, .right).map { Step.visit($0) }
                stack.append(contentsOf: inOrder.reversed())
            }
        }
        return result
    }

    /// What Algorithm 1 sends for text before the visible element at an offset.
    func insertion(of text: String, at offset: Int) -> TextInsertion {
        let all = elements()
        let visible = all.indices.filter { !all[$0].isDeleted }
        let left = offset == 0 ? nil : all[visible[offset - 1]].id
        let next = offset == 0 ? 0 : visible[offset - 1] + 1
        var hasRight = insertions.values.contains { $0.parent == left && $0.side == .right }
        if let left, let insertion = insertions[left.position],
            Int(left.offset) + 1 < insertion.string.unicodeScalars.count
        {
            hasRight = true
        }
        return hasRight
            ? TextInsertion(parent: all[next].id, side: .left, string: text)
            : TextInsertion(parent: left, side: .right, string: text)
    }

    private struct Link: Hashable {
        let parent: TextID?
        let side: TextSide
    }
}
