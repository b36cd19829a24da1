import LinnetWire

/// The writing of a text's runs and of its visible text, which may stop after any run.
struct TextWriting {
    private var walk: TextTreeWalk
    private var column: TextRunColumn

    /// The runs that were written so far, as a column.
    var runs: [UInt8] { column.column.bytes }
    /// The visible text, once all runs are written, in UTF-8.
    var text: [UInt8] { walk.text }

    /// Begins with the first run; `chains` has those of all runs.
    init(_ tree: TextTree, chains: OrderedSet<AuthorID>) {
        walk = TextTreeWalk(tree, joining: true, gatheringText: true)
        column = TextRunColumn(rootCount: walk.rootCount, chains: chains)
    }

    /// Writes so many more runs; true when all are written.
    mutating func goOn(_ runs: Int) -> Bool {
        for _ in 0..<runs {
            guard let visit = walk.next() else { return true }
            column.append(visit)
        }
        return false
    }
}
