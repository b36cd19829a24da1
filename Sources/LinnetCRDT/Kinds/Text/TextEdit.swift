/// An op that a local edit asks for; it changes the document only when it is applied.
package enum TextEdit: Equatable, Sendable {
    /// Inserts text.
    case insert(TextInsertion)
    /// Deletes scalars.
    case delete(TextDeletion)

    /// Returns the canonical payload, at most `Limits.valueBytes` long.
    package func encoded() throws(CRDTError) -> [UInt8] {
        switch self {
        case .insert(let insertion): try insertion.encoded()
        case .delete(let deletion): try deletion.encoded()
        }
    }
}
