public import LinnetCRDT

/// A change of an open text that its editor has not shown yet.
public struct TextChange: Equatable, Sendable {
    /// The steps that lead from what the editor shows to `text`.
    public let delta: TextDelta
    /// The text after the change.
    public let text: String
    /// The number of the change. Edits that count offsets into `text` name it.
    public let number: Int
    /// The number of the change that the editor had applied last, 0 for none.
    public let base: Int
    /// The number of edits that the editor had made, undos among them. An editor that applied
    /// another change meanwhile, or made another edit, does not apply this one: it asks again.
    public let edits: Int
}
