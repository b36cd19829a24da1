package import LinnetWire

/// A request of a machine to its caller, in order: first all rows are committed, then the rest is
/// done.
package enum CompanionEffect: Equatable, Sendable {
    /// Store a row, over any with the same key.
    case put(JournalRow)
    /// Delete a row.
    case remove(key: [UInt8])
    /// Append received bytes of a file to the inbox; `offset` is the size of what is there before.
    /// To be committed with the rows; bytes past `offset` from an earlier attempt are cut off.
    case store(TransferID, offset: UInt64, [UInt8])
    /// Delete a file from the inbox, with the rows.
    case discard(TransferID)
    /// The command was accepted under this name.
    case accepted(TransferID)
    /// Read a part of an outgoing file and answer with `fileBytes` or `fileUnreadable`.
    case readFile(TransferID, reference: String, offset: UInt64, count: Int)
    /// Hand a frame of less than 64 KiB to the counterpart: its code, 0x18 to 0x1c, and CBOR.
    case send(to: DeviceID, [UInt8])
    /// Call the app's delegate, one call after the other.
    case tell(CompanionEvent)
    /// Have the counterpart's process started, in the background, before the sends that follow.
    case wakeCounterpart(DeviceID)
    /// Launch or resume this end's app in the background, for a task it has to complete; nil
    /// when a message launches it, which is no task.
    case wakeApp(task: UInt64?)
    /// Delete the directory of a watch that was unpaired, or whose app was removed.
    case removeWatchDirectory(DeviceID)
    /// End this end's app: it let the time of its background task run out.
    case endApp(task: UInt64)
}
