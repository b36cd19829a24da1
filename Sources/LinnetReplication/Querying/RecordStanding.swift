/// Whether what a record refers to is there.
public enum RecordStanding: UInt8, Equatable, Sendable {
    /// Everything that it refers to is there.
    case attached = 0
    /// A record that it refers to has not arrived here: it shows once that has.
    case dangling = 1
    /// A record that it refers to is deleted: it shows again once that is restored.
    case hidden = 2
}
