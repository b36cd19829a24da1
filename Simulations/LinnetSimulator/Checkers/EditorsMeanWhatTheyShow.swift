/// Checks that an edit in an editor does just what it says to the text as it is by then, that
/// cursors stay at their characters, and that an undo takes back its own edits alone.
final class EditorsMeanWhatTheyShow: Checker {
    let invariant = Invariant.editorsMeanWhatTheyShow
    let sights: [Sight.Kind] = [.edited]

    func observe(_ sight: Sight) throws(Violation) {
        // Letters with accents apart are others, although they compare as equal.
        guard case .edited(let editing) = sight,
            !editing.found.unicodeScalars.elementsEqual(editing.expected.unicodeScalars)
        else { return }
        throw violation(
            "\(editing.what) is \(editing.found.debugDescription) and should be "
                + editing.expected.debugDescription, on: editing.device)
    }
}
