import LinnetCRDT
import LinnetWire

/// An op and where it stands.
struct PlacedEdit: Equatable {
    let edit: TextEdit
    let position: Position
}

/// Replicas that edit one text at random and now and then hear of each other.
struct TextHistory {
    private var random: Seeded
    private(set) var texts: [TextDocument]
    private(set) var naive: [NaiveText]
    private(set) var edits: [PlacedEdit] = []
    private var seen: [Set<Int>]
    private var next: [Position]
    static let alphabet = ["a", "b", " ", "\n", "\r", "é", "e\u{301}", "👩‍👩‍👦", "🇦", "각"]

    private let alphabet: [String]

    init(seed: Int, replicas: Int, alphabet: [String] = Self.alphabet) {
        self.alphabet = alphabet
        random = Seeded(seed)
        texts = Array(repeating: TextDocument(), count: replicas)
        naive = Array(repeating: NaiveText(), count: replicas)
        seen = Array(repeating: [], count: replicas)
        next = (0..<replicas).map {
            Position(chain: AuthorID(repeating: UInt8(replicas - $0)), seq: 1, index: 0)
        }
    }

    /// One edit of one replica, or one exchange.
    mutating func step() throws {
        let replica = random.below(texts.count)
        if random.below(4) == 0 {
            let other = random.below(texts.count)
            for index in seen[other].subtracting(seen[replica]).sorted() {
                deliver(index, to: replica)
            }
            return
        }
        let length = texts[replica].scalarCount
        let offset = random.below(length + 1)
        let count = random.below(3) == 0 ? min(random.below(4), length - offset) : 0
        var text = ""
        for _ in 0..<(count == 0 ? 1 + random.below(3) : random.below(2)) {
            text += alphabet[random.below(alphabet.count)]
        }
        let edits = try texts[replica].edit(
            at: offset, deleting: count, inserting: text, in: .scalars)
        for edit in edits {
            self.edits.append(PlacedEdit(edit: edit, position: place(replica)))
            deliver(self.edits.count - 1, to: replica)
        }
    }

    /// The ops in a random order, which need not be causal.
    mutating func shuffled() -> [PlacedEdit] {
        var shuffled = edits
        for index in shuffled.indices { shuffled.swapAt(index, random.below(index + 1)) }
        return shuffled
    }

    /// The ops in a random causal order: each author's in theirs, and all that it had seen.
    mutating func causal() -> [PlacedEdit] {
        var left = edits
        var result: [PlacedEdit] = []
        while !left.isEmpty {
            // The first op of any author left may come next if none before it is needed by it;
            // the order of creation is causal, and a swap of neighbours of two authors that
            // does not cross a parent stays so.
            result.append(left.removeFirst())
            var index = result.count - 1
            while index > 0, random.below(2) == 0, independent(result[index - 1], result[index]) {
                result.swapAt(index - 1, index)
                index -= 1
            }
        }
        return result
    }

    private func independent(_ first: PlacedEdit, _ second: PlacedEdit) -> Bool {
        if first.position.chain == second.position.chain { return false }
        switch second.edit {
        case .insert(let insertion): return insertion.parent?.position != first.position
        case .delete(let deletion):
            return !deletion.ranges.contains { $0.start.position == first.position }
        }
    }

    private mutating func deliver(_ index: Int, to replica: Int) {
        seen[replica].insert(index)
        _ = texts[replica].apply(edits[index].edit, at: edits[index].position)
        naive[replica].apply(edits[index].edit, at: edits[index].position)
    }

    /// The next position of a replica, whose batches hold one op or several.
    private mutating func place(_ replica: Int) -> Position {
        let position = next[replica]
        let sameBatch = random.below(2) == 0
        next[replica] = Position(
            chain: position.chain, seq: sameBatch ? position.seq : position.seq + 1,
            index: sameBatch ? position.index + 1 : random.below(3) == 0 ? 1 : 0)
        return position
    }
}

extension TextDocument {
    /// The text of ops that are applied one by one.
    init(_ edits: [PlacedEdit]) {
        self.init()
        for placed in edits { _ = apply(placed.edit, at: placed.position) }
    }

    /// The canonical bytes with the chains that they refer to.
    func encoded() -> (chains: OrderedSet<AuthorID>, bytes: [UInt8]) {
        var collected: [AuthorID] = []
        collectChains(into: &collected)
        let chains = OrderedSet(collected)
        var writer = CBORWriter()
        write(to: &writer, chains: chains)
        return (chains, writer.bytes)
    }

    /// Reads canonical bytes and nothing else.
    static func decode(_ bytes: [UInt8], chains: [AuthorID]) throws(WireError) -> TextDocument {
        var reader = CBORReader(bytes)
        let text = try TextDocument(from: &reader, chains: chains)
        try reader.finish()
        return text
    }
}
