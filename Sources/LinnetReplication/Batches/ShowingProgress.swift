/// The progress of a commit of several batches towards being visible: first all are opened, then
/// all are merged.
struct ShowingProgress {
    /// The shares that opening a batch, merging it and the end take, in hundredths of a batch, as
    /// measured.
    private static let (opening, merging, ending) = (13, 80, 7)
    private let batches: Int
    private let tell: CommitTelling?
    private var done = 0

    /// Begins with a commit, whose batches may be opened already.
    init(batches: Int, areOpened: Bool = false, _ tell: CommitTelling?) {
        self.batches = batches
        self.tell = tell
        done = areOpened ? batches * Self.opening : 0
    }

    /// Counts another batch that is being opened.
    mutating func opened() { count(Self.opening) }

    /// Counts another batch that is being merged.
    mutating func merged() { count(Self.merging) }

    private mutating func count(_ cost: Int) {
        tell?(done, batches * (Self.opening + Self.merging + Self.ending), batches)
        done += cost
    }
}
