import Testing

/// One rule of style: a function from a file to findings, with the samples that prove it rings.
struct Rule: Sendable, CustomTestStringConvertible {
    /// What every file must keep, as a sentence.
    let name: String
    /// Files as (path, text) in each of which the rule must find something.
    let bad: [(path: String, text: String)]
    /// Files in which it must find nothing.
    let good: [(path: String, text: String)]
    let check: @Sendable (SourceFile, Context) -> [Finding]

    var testDescription: String { name }

    /// Every rule; a rule that is not here is not enforced.
    static let all: [Rule] =
        imports + purity + sizes + types + uniqueness + names + fields + documentation + text
        + markdown + tables + release
}
