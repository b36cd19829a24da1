import LinnetWire

/// The writer of a text's runs as a column: each has a head byte and then the parts that it
/// announces.
///
/// A run has these parts: head, count of scalars, the chain's index unless it is that of the run
/// before, the step of `seq` from that run's last scalar, index and offset unless both are zero,
/// the number of left children if there are any, and that of right children less two if there are
/// several.
struct TextRunColumn {
    /// The column that was written so far.
    private(set) var column = TextColumn()
    private var last: TextID?
    private let chains: OrderedSet<AuthorID>

    /// The bits of a head byte.
    enum Head {
        static let isDeleted: UInt8 = 1
        static let stepShift: UInt8 = 1
        static let sameChain: UInt8 = 1 << 3
        static let hasLeft: UInt8 = 1 << 4
        static let oneRight: UInt8 = 1 << 5
        static let manyRight: UInt8 = 1 << 6
        static let hasIndex: UInt8 = 1 << 7
    }

    /// Begins with the number of runs that hang on the start of the text.
    init(rootCount: Int, chains: OrderedSet<AuthorID>) {
        self.chains = chains
        column.append(count: rootCount)
    }

    /// Appends a run that a walk met.
    mutating func append(_ visit: TextTreeWalk.Visit) {
        let run = visit.run
        let position = run.first.position
        let hasIndex = position.index != 0 || run.first.offset != 0
        var head = run.step.rawValue << Head.stepShift
        if run.isDeleted { head |= Head.isDeleted }
        if last?.position.chain == position.chain { head |= Head.sameChain }
        if visit.leftCount > 0 { head |= Head.hasLeft }
        if visit.rightCount == 1 { head |= Head.oneRight }
        if visit.rightCount > 1 { head |= Head.manyRight }
        if hasIndex { head |= Head.hasIndex }
        column.append(byte: head)
        column.append(count: run.count)
        if head & Head.sameChain == 0 {
            column.append(count: chains.indexOfCollected(position.chain))
        }
        column.append(UInt64(zigzag: position.seq &- (last?.position.seq ?? 0)))
        if hasIndex {
            column.append(position.index)
            column.append(run.first.offset)
        }
        if visit.leftCount > 0 { column.append(count: visit.leftCount) }
        if visit.rightCount > 1 { column.append(count: visit.rightCount - 2) }
        last = run.last
    }
}

/// The reader of the runs that a column was written with.
struct TextRunReader {
    private var reader: TextColumnReader
    private var last: TextID?
    private let chains: [AuthorID]
    /// The number of runs that hang on the start of the text.
    let rootCount: Int

    /// True when every byte was read.
    var isAtEnd: Bool { reader.isAtEnd }

    /// Reads the start of a column.
    init(_ bytes: [UInt8], chains: [AuthorID]) throws(WireError) {
        reader = TextColumnReader(bytes)
        self.chains = chains
        rootCount = try reader.count()
    }

    /// Reads one run, without its parent and side.
    mutating func next() throws(WireError) -> TextTreeWalk.Visit {
        typealias Head = TextRunColumn.Head
        let head = try reader.byte()
        guard let step = TextRun.Step(rawValue: (head >> Head.stepShift) & 3)
        else { throw .unexpectedType }
        let count = try reader.count()
        let chain = try chain(same: head & Head.sameChain != 0)
        let seq = (last?.position.seq ?? 0) &+ (try reader.number()).unzigzag
        var (index, offset): (UInt32, UInt32) = (0, 0)
        if head & Head.hasIndex != 0 {
            index = try reader.number32()
            offset = try reader.number32()
            guard index != 0 || offset != 0 else { throw .nonCanonical }
        }
        let first = TextID(
            position: Position(chain: chain, seq: seq, index: index), offset: offset)
        let run = TextRun(
            first: first, step: step, count: count, isDeleted: head & Head.isDeleted != 0)
        try TextRunReader.check(run)
        var visit = TextTreeWalk.Visit(run: run, parent: nil, side: .right)
        if head & Head.hasLeft != 0 {
            visit.leftCount = try reader.count()
            guard visit.leftCount > 0 else { throw .nonCanonical }
        }
        visit.rightCount = try rightCount(head & (Head.oneRight | Head.manyRight))
        last = run.last
        return visit
    }

    private mutating func chain(same: Bool) throws(WireError) -> AuthorID {
        if same {
            guard let last else { throw .nonCanonical }
            return last.position.chain
        }
        let index = try reader.count()
        guard chains.indices.contains(index) else { throw .tooLarge }
        guard chains[index] != last?.position.chain else { throw .nonCanonical }
        return chains[index]
    }

    private mutating func rightCount(_ bits: UInt8) throws(WireError) -> Int {
        switch bits {
        case 0: return 0
        case TextRunColumn.Head.oneRight: return 1
        case TextRunColumn.Head.manyRight:
            let (count, overflow) = try reader.count().addingReportingOverflow(2)
            guard !overflow else { throw .tooLarge }
            return count
        default: throw .nonCanonical
        }
    }

    /// Throws unless the ids of the run exist and are written the shortest way.
    private static func check(_ run: TextRun) throws(WireError) {
        guard run.count > 0, run.count <= Int(UInt32.max) else { throw .tooLarge }
        let steps = UInt64(run.count - 1)
        let position = run.first.position
        switch run.step {
        case .offset:
            guard UInt64(run.first.offset) + steps < UInt64(UInt32.max) else { throw .tooLarge }
        case .index:
            guard UInt64(position.index) + steps <= UInt64(UInt32.max) else { throw .tooLarge }
        case .seq:
            guard !position.seq.addingReportingOverflow(steps).overflow else { throw .tooLarge }
        }
        if run.step != .offset, run.count == 1 || run.first.offset != 0 { throw .nonCanonical }
    }
}

extension OrderedSet<AuthorID> {
    /// Returns the place of a chain that `collectChains` added.
    func indexOfCollected(_ chain: AuthorID) -> Int {
        let index = lowerBound(of: chain)
        precondition(
            index < count && elements[index] == chain, "every chain of a text was collected")
        return index
    }
}
