/// Events that may befall a fleet beside writing, meeting and cutting.
package enum CutTrouble: Hashable, Sendable, CaseIterable {
    case newcomer
    case removal
    case lapse
    /// A copy is put back, the device notices, and begins a new life.
    case restoration
    /// A copy is put back, and nobody notices.
    case rollback
    /// A device forgets what it did not store.
    case crash
}

/// Events that may still happen, so that every history ends.
struct CutAllowance: Hashable, Sendable {
    var writes: Int8
    var cuts: Int8
    var troubles: Int8
    var kinds: Set<CutTrouble>
}
