import LinnetWire

/// The rules that say which records are stored. They look at a record's bytes and its ancestors
/// alone, so that every replica judges alike whatever else it holds; a record that is stored may
/// still mean nothing, as ``Verdict`` says.
enum MembershipRules {
    /// Throws what is wrong with a record that follows `ancestors`.
    static func check(
        _ record: MemberRecord, after ancestors: RecordSet, in graph: RecordGraph
    ) throws(MembershipError) {
        guard graph.knows(record.author, in: ancestors) else { throw .notEntitled }
        let places = record.parents.compactMap(graph.place)
        let descends = places.contains { place in
            places.contains { graph.isBefore(place, $0) }
        }
        guard !descends else { throw .malformed(.nonCanonical) }
        let isRecovery = graph.isRecoveryKey(record.author, in: ancestors)
        switch record.payload {
        case .genesis: throw .notAGenesis
        case .recovery where !isRecovery: throw .notEntitled
        default: break
        }
        if let number = record.payload.epoch?.number {
            try check(number, of: record, after: ancestors, in: graph)
        }
        // A record that takes a device's rights away is stored however much it wrote before.
        switch record.payload {
        case .remove, .vote: return
        default:
            guard isRecovery || ancestors.count <= Limits.memberRecords else {
                throw .tooManyRecords
            }
        }
    }

    private static func check(
        _ number: UInt64, of record: MemberRecord, after ancestors: RecordSet,
        in graph: RecordGraph
    ) throws(MembershipError) {
        let highest = graph.highestEpoch(in: ancestors)
        guard number > highest else { throw .badEpochNumber }
        if number == highest + 1 { return }
        // The first version leaps to a number that no record before it can have.
        guard number < record.lamport, graph.hasNovel(in: ancestors) else { throw .badEpochNumber }
    }
}
