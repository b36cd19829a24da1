extension Unicode.Scalar {
    /// True when a character (Unicode Standard Annex 29) always ends between this scalar and
    /// another such one. Only some of the scalars for which that holds are counted.
    var isPlain: Bool {
        switch value {
        case 0x20...0x7e, 0x09, 0x0a, 0xa0...0xac, 0xae...0x2ff: true
        case 0x370...0x482, 0x48a...0x52f: true
        case 0x3041...0x3096, 0x30a1...0x30fa, 0x4e00...0x9fff: true
        default: false
        }
    }
}

/// Finds the characters of a text without putting plain stretches of it together.
struct CharacterScan {
    private let tree: TextTree
    // The numbers of characters and scalars before the open part.
    private var characters = 0
    private var scalars = 0
    // The scalars to which later ones may still belong; a character starts at the first.
    private var open: [Unicode.Scalar] = []
    private var target = Int.max
    private var found: Int?

    /// Starts before the text of a tree.
    init(_ tree: TextTree) {
        self.tree = tree
    }

    /// Returns the number of characters of the text.
    mutating func countAll() -> Int {
        if !tree.hasRough { return tree.order.total }
        walk()
        return characters
    }

    /// Returns the number of scalars in the first `offset` characters; nil if there are fewer
    /// characters.
    mutating func scalarOffset(ofCharacter offset: Int) -> Int? {
        guard offset > 0 else { return offset == 0 ? 0 : nil }
        if !tree.hasRough { return offset <= tree.order.total ? offset : nil }
        target = offset
        walk()
        return found
    }

    private mutating func walk() {
        var node = tree.order.first
        while node >= 0, found == nil {
            let run = tree[node]
            if !run.isDeleted {
                let text = tree.text(of: run)
                if run.isPlain { takePlain(text) } else { text.forEach { take($0) } }
            }
            node = tree.order.next(after: node)
        }
        flush()
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if let last = open.last, last.isPlain, scalar.isPlain { flush() }
        open.append(scalar)
    }

    /// Takes plain scalars; only the first and the last may be part of a longer character.
    private mutating func takePlain(_ text: ArraySlice<Unicode.Scalar>) {
        guard let first = text.first, let last = text.last else { return }
        take(first)
        guard text.count > 1 else { return }
        flush()
        let inner = text.count - 2
        if found == nil, target - characters <= inner { found = scalars + target - characters }
        characters += inner
        scalars += inner
        open.append(last)
    }

    private mutating func flush() {
        defer { open.removeAll(keepingCapacity: true) }
        if open.count <= 1 {
            characters += open.count
            scalars += open.count
            if characters == target { found = scalars }
            return
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: open)
        for character in String(view) {
            characters += 1
            scalars += character.unicodeScalars.count
            if characters == target { found = scalars }
        }
    }
}
