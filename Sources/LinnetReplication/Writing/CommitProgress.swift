/// How far a large commit is: first its changes are made, then its batches are sealed and stored,
/// and rows are written meanwhile.
struct CommitProgress {
    /// The requests between two words.
    static let pace = 1_000
    /// What the rows and the sealing take beside making the changes, in percent, as measured.
    private static let (rowsPercent, sealingPercent) = (40, 20)
    private let requests: Int
    private let tell: Telling?

    /// A commit that tells of itself only when it is large.
    init(requests: Int, _ tell: Telling?) {
        self.requests = requests
        self.tell = requests > Self.pace ? tell : nil
    }

    private var total: Int {
        requests + requests * (Self.rowsPercent + Self.sealingPercent) / 100
    }

    /// So many requests were carried out.
    func added(_ count: Int) { tell?(count, total) }

    /// So many batches were stored, and so many rows are still to be written.
    func sealed(_ count: Int, of batches: Int, rowsLeft: Int) {
        let rows = requests - min(requests, rowsLeft)
        let sealed = requests * count / max(1, batches)
        let done = rows * Self.rowsPercent + sealed * Self.sealingPercent
        tell?(requests + done / 100, total)
    }
}
