import LinnetWire

/// The writing of a record with a long text into the bytes of its row, over several calls.
package struct RecordWriting {
    /// The record as it was when the writing began.
    package let state: RecordState
    let chains: OrderedSet<AuthorID>
    let slot: FieldSlot
    private(set) var text: TextWriting

    /// Begins to write a record; nil for one without a text.
    package init?(_ state: RecordState) {
        guard state.setAsideUpTo == 0, let (slot, document) = state.contents.largestText
        else { return nil }
        self.state = state
        self.slot = slot
        chains = OrderedSet(state.mentionedChains)
        text = TextWriting(document.tree, chains: chains)
    }

    /// Writes so many more runs of the text; true when nothing but little things are left.
    package mutating func goOn(_ runs: Int) -> Bool { text.goOn(runs) }

    /// The content of the record's row, once `goOn` has come to the end.
    package var bytes: [UInt8] { state.encoded(chains: chains, self) }
}
