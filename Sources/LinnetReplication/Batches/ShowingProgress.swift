/// How far a commit of several batches is on its way to be visible: first all are opened, then all
/// are merged.
struct ShowingProgress {
    /// What opening and merging a batch take beside each other, and the end beside both, in
    /// hundredths of a batch, as measured.
    private static let (opening, merging, ending) = (43, 53, 4)
    private let batches: Int
    private let tell: CommitTelling?
    private var done = 0

    /// Begins with a commit, of which the batches may be opened already.
    init(batches: Int, areOpened: Bool = false, _ tell: CommitTelling?) {
        self.batches = batches
        self.tell = tell
        done = areOpened ? batches * Self.opening : 0
    }

    /// Another batch is opened.
    mutating func opened() { count(Self.opening) }

    /// Another batch is merged.
    mutating func merged() { count(Self.merging) }

    private mutating func count(_ cost: Int) {
        tell?(done, batches * (Self.opening + Self.merging + Self.ending), batches)
        done += cost
    }
}
