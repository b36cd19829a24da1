/// How far a large commit is: first its changes are made, then its batches are sealed and stored.
struct CommitProgress {
    /// The requests between two words.
    static let pace = 1_000
    /// What sealing takes beside making the changes, in percent, as it was measured.
    private static let sealingPercent = 100
    private let requests: Int
    private let tell: Telling?

    /// A commit that tells of itself only when it is large.
    init(requests: Int, _ tell: Telling?) {
        self.requests = requests
        self.tell = requests > Self.pace ? tell : nil
    }

    private var total: Int { requests + requests * Self.sealingPercent / 100 }

    /// So many requests were carried out.
    func added(_ count: Int) { tell?(count, total) }

    /// So many batches were stored.
    func sealed(_ count: Int, of batches: Int) {
        tell?(requests + (total - requests) * count / max(1, batches), total)
    }
}
