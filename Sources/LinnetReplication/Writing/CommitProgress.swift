/// How far a large commit is, in hundredths of a request: first its changes are made, then its
/// batches are sealed and stored, and rows are written meanwhile.
struct CommitProgress {
    /// The requests between two words.
    static let pace = 1_000
    /// The hundredths of a request.
    static let parts = 100
    /// What making the changes, writing the rows and sealing take of the whole, as measured; the
    /// rest is the end, when all is made durable.
    private static let (making, rows, sealing) = (52, 15, 30)
    private let requests: Int
    private let tell: Telling?

    /// A commit that tells of itself only when it is large.
    init(requests: Int, _ tell: Telling?) {
        self.requests = requests
        self.tell = requests > Self.pace ? tell : nil
    }

    /// So many requests were carried out.
    func added(_ count: Int) { tell?(count * Self.making, requests * Self.parts) }

    /// So many batches were stored, and so many rows are still to be written.
    func sealed(_ count: Int, of batches: Int, rowsLeft: Int) {
        let written = requests - min(requests, rowsLeft)
        let sealed = requests * count / max(1, batches)
        tell?(
            requests * Self.making + written * Self.rows + sealed * Self.sealing,
            requests * Self.parts)
    }
}
