/// All that one device holds.
struct CutDevice: Hashable, Sendable {
    var isThere = false
    var life: Int8 = 0
    /// The batches that it can hand on.
    var held: CutSet = 0
    /// The batches that it folded, or took as a snapshot.
    var base: CutSet = 0
    /// The cut that it folded last, or -1.
    var floor: Int8 = -1
    /// All that it showed when it folded.
    var shownWhenFolded: CutSet = 0
    var cuts: CutSet = 0
    var promises: CutSet = 0
    var settlements: CutSet = 0
    var records: CutSet = 0
    var lives: CutSet = 0
    /// The cuts that it promised, or that whoever let it in had promised.
    var bound: CutSet = 0
    /// Its life began with a copy, and has folded nothing with others yet.
    var isFresh = false
}
