/// The standing of a record, which says whether the records that it refers to are there.
public enum RecordStanding: UInt8, Equatable, Sendable {
    /// Everything that it refers to is there.
    case attached = 0
    /// A record that it refers to has not arrived here; it shows once that one has arrived.
    case dangling = 1
    /// A record that it refers to is deleted; it shows again once that one is restored.
    case hidden = 2
}
