/// The progress of a large commit, in hundredths of a request: first its changes are made, then its
/// batches are sealed and stored, and rows are written meanwhile.
struct CommitProgress {
    /// The number of requests between two reports.
    static let pace = 1_000
    /// The number of parts of a request.
    static let parts = 100
    /// The shares of the whole that making the changes, writing the rows and sealing take, as
    /// measured; the rest is the end, when all is made durable.
    private static let (making, rows, sealing) = (52, 27, 12)
    private let requests: Int
    private let tell: Telling?

    /// Makes the progress of a commit, which is told of only when the commit is large.
    init(requests: Int, _ tell: Telling?) {
        self.requests = requests
        self.tell = requests > Self.pace ? tell : nil
    }

    /// Tells that so many requests were carried out.
    func added(_ count: Int) { tell?(count * Self.making, requests * Self.parts) }

    /// Tells that so many batches were stored, and that so many rows are still to be written.
    func sealed(_ count: Int, of batches: Int, rowsLeft: Int) {
        let written = requests - min(requests, rowsLeft)
        let sealed = requests * count / max(1, batches)
        tell?(
            requests * Self.making + written * Self.rows + sealed * Self.sealing,
            requests * Self.parts)
    }
}
