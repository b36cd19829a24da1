/// The progress of a backup, a restoring or a wiping.
public struct BackupProgress: Equatable, Sendable {
    /// The bytes that are done.
    public let doneBytes: UInt64
    /// The bytes in all, as far as is known.
    public let totalBytes: UInt64

    init(_ done: Int, of total: Int) {
        doneBytes = UInt64(clamping: done)
        totalBytes = UInt64(clamping: max(done, total))
    }
}
