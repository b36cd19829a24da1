import LinnetReplication

/// The latest fold of each record, for the next replica that shows the same of it.
///
/// A fold follows from operations and the version of the application alone where nobody forked,
/// and the devices of a fleet come by the same operations one after the other.
final class FoldMemory {
    private struct Place: Hashable {
        var key: RecordKey
        var version: UInt32
    }

    private struct Known {
        var operations: [FactOperation]
        var folded: ReferenceFold.Folded
    }

    private var folds: [Place: Known] = [:]
    /// The number of folds that were made.
    private(set) var made = 0

    /// The fold of just these operations, which is made when the latest one was of others.
    func fold(
        of key: RecordKey, _ operations: [FactOperation], version: UInt32,
        make: () -> ReferenceFold.Folded
    ) -> ReferenceFold.Folded {
        let place = Place(key: key, version: version)
        if let known = folds[place], known.operations.count == operations.count,
            zip(known.operations, operations).allSatisfy({ $0 === $1 })
        {
            return known.folded
        }
        let folded = make()
        made += 1
        folds[place] = Known(operations: operations, folded: folded)
        return folded
    }
}
