package import LinnetWire

extension TextDocument {
    /// Appends the chains that the state refers to.
    package func collectChains(into chains: inout [AuthorID]) {
        var last: AuthorID?
        let add = { (chain: AuthorID, chains: inout [AuthorID]) in
            if chain != last { chains.append(chain) }
            last = chain
        }
        for run in tree.runs { add(run.first.position.chain, &chains) }
        for place in waiting.keys {
            add(place.parent.position.chain, &chains)
            add(place.position.chain, &chains)
        }
        for position in early.keys { add(position.chain, &chains) }
    }

    /// The insertions that are known; of every chain the last is kept.
    package var insertions: CausalContext {
        var known = CausalContext()
        for run in tree.runs { known.insert(run.last.position) }
        for place in waiting.keys { known.insert(place.position) }
        return known
    }

    /// Writes the state: runs, visible text, the insertions that wait and their text, early
    /// deletions.
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        var writing = TextWriting(tree, chains: chains)
        _ = writing.goOn(.max)
        writing.end(self, to: &writer, chains: chains)
    }

    /// The bytes that `write(to:chains:)` takes with the chains that it needs, or more. The runs
    /// are looked at once, in the order of their numbers.
    var rowBytesAtMost: Int? {
        var (seqs, indices, offsets): (UInt64, UInt32, UInt32) = (0, 0, 0)
        var (scalars, chains): (UInt64, Int) = (0, 0)
        var last: AuthorID?
        for run in tree.runs {
            let first = run.first
            seqs |= first.position.seq
            indices |= first.position.index
            offsets |= first.offset
            scalars += UInt64(run.count)
            if first.position.chain != last {
                chains += 1
                last = first.position.chain
            }
        }
        // A head, and after it all parts of a run as large as any of them is.
        let step = (seqs &+ scalars).multipliedReportingOverflow(by: 2)
        let parts =
            [scalars, step.overflow ? .max : step.partialValue, UInt64(indices), UInt64(offsets)]
            + [UInt64(chains), UInt64(tree.runs.count), UInt64(tree.runs.count)]
        let run = parts.reduce(1) { $0 + TextColumn.bytes(of: $1) }
        let early = early.values.reduce(0) { $0 + 64 * $1.count }
        return 64 + run * (tree.runs.count + 1) + 4 * tree.stored + 17 * chains
            + waiting.values.reduce(early) { $0 + 128 + $1.string.utf8.count }
    }

    /// Reads what `write(to:chains:)` wrote; `chains` ascends.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 5)
        let runs = try reader.bytes(max: .max)
        tree = try TextTree(runs, text: try reader.text(max: .max), chains: chains)
        try readWaiting(from: &reader, chains: chains)
        try readEarly(from: &reader, chains: chains)
    }

    /// The chains and the bytes, which are equal exactly for equal states.
    var identity: TextIdentity {
        var collected: [AuthorID] = []
        collectChains(into: &collected)
        let chains = OrderedSet(collected)
        var writer = CBORWriter()
        write(to: &writer, chains: chains)
        return TextIdentity(chains: chains, bytes: writer.bytes)
    }

    fileprivate func writeWaiting(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        var column = TextColumn()
        var text = String.UnicodeScalarView()
        for (place, insertion) in waiting {
            column.append(place.parent, chains: chains)
            column.append(TextID(position: place.position, offset: 0), chains: chains)
            column.append(byte: insertion.side.rawValue)
            let scalars = insertion.string.unicodeScalars
            column.append(count: scalars.count)
            text.append(contentsOf: scalars)
        }
        writer.bytes(column.bytes)
        writer.text(String(text))
    }

    private mutating func readWaiting(
        from reader: inout CBORReader, chains: [AuthorID]
    ) throws(WireError) {
        var column = TextColumnReader(try reader.bytes(max: .max))
        var text = try reader.text(max: .max).unicodeScalars[...]
        while !column.isAtEnd {
            let parent = try column.id(chains: chains)
            let id = try column.id(chains: chains)
            guard id.offset == 0, let side = TextSide(rawValue: try column.byte())
            else { throw .nonCanonical }
            let count = try column.count()
            let scalars = text.prefix(count)
            guard count > 0, scalars.count == count else { throw .badLength }
            text.removeFirst(count)
            let place = WaitingPlace(parent: parent, position: id.position)
            if let last = waiting.last?.key, last >= place { throw .nonCanonical }
            guard tree.find(parent) == nil, tree.find(id) == nil else { throw .nonCanonical }
            waiting[place] = TextInsertion(parent: parent, side: side, string: String(scalars))
        }
        guard text.isEmpty else { throw .trailingBytes }
    }

    fileprivate func writeEarly(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        var column = TextColumn()
        for range in early.values.joined() {
            column.append(range.start, chains: chains)
            column.append(range.count)
        }
        writer.bytes(column.bytes)
    }

    private mutating func readEarly(
        from reader: inout CBORReader, chains: [AuthorID]
    ) throws(WireError) {
        var column = TextColumnReader(try reader.bytes(max: .max))
        var last: TextRange?
        while !column.isAtEnd {
            let start = try column.id(chains: chains)
            guard let range = TextRange(start: start, count: try column.number32())
            else { throw .tooLarge }
            if let last, last.start >= start || last.joined(with: range) != nil {
                throw .nonCanonical
            }
            last = range
            guard !tree.contains(start.position) else { throw .nonCanonical }
            early[start.position, default: []].append(range)
        }
    }
}

extension TextWriting {
    /// Writes a text whose runs are written already.
    func end(
        _ document: TextDocument, to writer: inout CBORWriter, chains: OrderedSet<AuthorID>
    ) {
        writer.array(5)
        writer.bytes(runs)
        writer.text(utf8: text)
        document.writeWaiting(to: &writer, chains: chains)
        document.writeEarly(to: &writer, chains: chains)
    }
}

/// The identity of a text: equal texts have equal ones.
struct TextIdentity: Equatable {
    let chains: OrderedSet<AuthorID>
    let bytes: [UInt8]
}

extension TextColumn {
    fileprivate mutating func append(_ id: TextID, chains: OrderedSet<AuthorID>) {
        append(count: chains.indexOfCollected(id.position.chain))
        append(id.position.seq)
        append(id.position.index)
        append(id.offset)
    }
}

extension TextColumnReader {
    fileprivate mutating func id(chains: [AuthorID]) throws(WireError) -> TextID {
        let index = try count()
        guard chains.indices.contains(index) else { throw .tooLarge }
        let seq = try number()
        let position = Position(chain: chains[index], seq: seq, index: try number32())
        return TextID(position: position, offset: try number32())
    }
}
