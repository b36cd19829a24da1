/// Says whether one thing holds that must always hold, from what an inspector sees.
///
/// A checker keeps what it needs to remember to itself, and reads what the simulator knows. It sees
/// no replica: the inspector reads those, and finds what changed.
protocol Checker: AnyObject {
    /// The one that is broken when it complains.
    var invariant: Invariant { get }
    /// The sights that it wants to see.
    var sights: [Sight.Kind] { get }

    func observe(_ sight: Sight) throws(Violation)

    /// Looks once more when a run is over and everything was exchanged.
    func finish() throws(Violation)
}

extension Checker {
    func finish() throws(Violation) {}

    /// The name in the documents and lists: what it checks.
    var name: String { String(describing: type(of: self)) }

    func violation(_ message: String, on devices: Int...) -> Violation {
        Violation(invariant, message, devices: devices)
    }
}

/// Every checker of a fleet, and what each of them wants to see.
package struct CheckerRegistry {
    let all: [any Checker]
    private let watching: [[any Checker]]

    /// - Parameters:
    ///   - ledger: the tally of the workload of which each key counts once.
    ///   - application: an invariant of the application's own.
    init(
        _ known: Knowledge, ledger: TallyLedger? = nil,
        application: ((SimulatedReplica) -> String?)? = nil
    ) {
        var all: [any Checker] = [
            ShownAsFolded(known), ClocksNeverRefuse(known), UniqueAuthors(known),
            CanonicalEncoding(known), ContiguousVectors(known), AcknowledgedWrites(known),
            ExactlyOnce(known), CausalOrder(known), NoResurrection(known), ImmutableLogs(known),
            EqualStates(known), PeersInStep(known), BoundedStorage(known), IntactForwarding(known),
            NamesWhatWasSeen(known), OwnWrites(known), Incarnations(known), BoundedTraffic(known),
            MeetingsBringTogether(known), PartialReplicas(known), NoPlaintext(),
            StockIsTheLedger(known), DosesCountOnce(known), NoDoseLost(known), TotalsAgree(known),
            LostBatchesReturn(known), FilesAreWhole(), HeadsOfOthersStay(known),
            EditorsMeanWhatTheyShow(), PacksGiveWay(known),
        ]
        if let ledger { all.append(KeysCountOnce(known, ledger)) }
        if let application { all.append(ApplicationHolds(known, application)) }
        self.all = all
        watching = Sight.Kind.allCases.map { kind in all.filter { $0.sights.contains(kind) } }
    }

    func show(_ sight: Sight) throws(Violation) {
        for checker in watching[sight.kind.rawValue] { try checker.observe(sight) }
    }

    func finish() throws(Violation) {
        for checker in all { try checker.finish() }
    }
}

extension CheckerRegistry {
    /// The checkers of fleets by name, each with the invariant that breaks when it complains.
    package static var names: [(name: String, invariant: Invariant)] {
        let known = Knowledge([])
        let ledger = TallyLedger(collection: 0, field: 0)
        return CheckerRegistry(known, ledger: ledger, application: { _ in nil }).all.map {
            ($0.name, $0.invariant)
        }
    }
}
