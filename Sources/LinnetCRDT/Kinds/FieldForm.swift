/// The way in which a value of a field is given and read. Commands, files and an application's
/// types need to know nothing else of a kind.
package enum FieldForm: Sendable {
    /// One value, which is set.
    case single
    /// Several values under names of their own, which are set together.
    case members
    /// One value, or a list of those that were written concurrently.
    case several
    /// A number to which amounts are added.
    case amount
    /// A list to which elements are added and from which they are removed.
    case elements
    /// A text in which people type.
    case text
    /// A place, to which a record is moved.
    case place
    /// A file, which is attached and fetched.
    case file

    /// True when all that shows is one value of the field's type, so that records sort by it.
    package var isOneValue: Bool {
        switch self {
        case .single, .amount, .place: true
        case .members, .several, .elements, .text, .file: false
        }
    }
}
