/// How far a backup, a restoring or a wiping is.
public struct BackupProgress: Equatable, Sendable {
    /// Bytes that were dealt with.
    public let doneBytes: UInt64
    /// Bytes that there are in all, as far as is known.
    public let totalBytes: UInt64

    init(_ done: Int, of total: Int) {
        doneBytes = UInt64(clamping: done)
        totalBytes = UInt64(clamping: max(done, total))
    }
}
