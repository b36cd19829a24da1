import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A part of a commit that does not show yet.
struct HiddenPart {
    let row: ChainRow
    let seq: UInt64
    let id: BatchID

    var name: PartName { PartName(scope: row.scope, seq: seq, prefix: id.prefix8) }
}

/// A commit of several parts, as far as they were opened. That takes more than one call where they
/// are many.
struct BegunCommit {
    let commit: CommitID
    /// The chain whose next batch belongs to it.
    let key: ChainKey
    /// The scopes that were held when it was begun.
    let held: ScopeFilter
    let parts: [HiddenPart]
    var names: CommitNames
    /// True once it is known which batches the parts say again.
    var knowsRestated = false
    var progress: ShowingProgress
    /// The parts whose bytes the disk changed, as far as their turn in their chains has come.
    private(set) var damaged: [VisibleBatch] = []
    /// The parts that were opened, in order.
    private(set) var shown: [VisibleBatch] = []
    /// The memory for opened parts that is left, in bytes.
    private var room: Int

    init(
        _ commit: CommitID, of key: ChainKey, _ held: ScopeFilter, parts: [HiddenPart] = [],
        room: Int = 0, _ progress: ShowingProgress = ShowingProgress(batches: 0, nil)
    ) {
        self.commit = commit
        self.key = key
        self.held = held
        self.parts = parts
        self.room = room
        self.progress = progress
        names = CommitNames(parts: OrderedSet(parts.map(\.name)))
    }

    /// The next part that is opened; nil when all are.
    var next: HiddenPart? { shown.count < parts.count ? parts[shown.count] : nil }

    /// Takes in the next part, and its content while there is room.
    mutating func take(_ body: BatchBody, of stored: BatchRow) {
        let part = parts[shown.count]
        room -= body.footprint
        shown.append(
            VisibleBatch(
                row: part.row, seq: part.seq, content: room > 0 ? .opened(stored, body) : .closed,
                work: body.mergingWork, restates: body.restates != nil))
    }

    /// Takes in the next part, whose bytes are damaged.
    mutating func takeDamaged(_ stored: BatchRow) {
        let part = parts[shown.count]
        shown.append(VisibleBatch(row: part.row, seq: part.seq, content: .damaged(stored)))
    }

    /// Notes a part that does not open, where its bytes are damaged.
    mutating func noteDamage(of part: HiddenPart, _ stored: BatchRow, _ group: GroupState) {
        guard part.seq == part.row.applied + 1,
            !SealedBatch(stored, in: part.row, of: group.log.group).isIntact
        else { return }
        damaged.append(VisibleBatch(row: part.row, seq: part.seq, content: .damaged(stored)))
    }

    /// Lets go of the contents: they are opened again when all is to be merged.
    mutating func close() {
        room = 0
        for place in shown.indices { shown[place].close() }
    }
}
