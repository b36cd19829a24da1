import LinnetStorage

extension ChainRow {
    /// True when the base holds batches of the chain, of which the last one is kept as evidence.
    var isFolded: Bool { floor > 0 }

    /// The batch after which the log goes on, where all is merged anew.
    var start: UInt64 { isFolded ? floor : first - 1 }
}
