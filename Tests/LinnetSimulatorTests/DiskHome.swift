import LinnetCrypto
import LinnetSimulator
import LinnetStorage

/// A store on a simulated disk and what it has to find again after each failure.
///
/// Transaction number n writes n under one key and an outcome whose bytes follow from n, so that
/// half a transaction, a lost one or one that came back can be told from the contents alone.
final class DiskHome {
    /// What a store held that it should not have, or the reverse.
    struct Finding: Error {
        let text: String
    }

    let disk: Disk
    /// The last transaction that was begun, that committed, and that was promised to stay.
    private(set) var begun: UInt64 = 0
    private(set) var committed: UInt64 = 0
    private(set) var promised: UInt64 = 0
    private var openings: UInt8 = 0
    var random: SeededRandom

    init(_ name: String, seed: UInt64) {
        let random = SeededRandom(seed: seed)
        disk = Disk(name: "\(name)-\(seed)", random: random.fork("disk"))
        self.random = random.fork("home")
    }

    /// Opens the store.
    func open(path: String? = nil) throws(StorageError) -> SQLiteStore {
        openings &+= 1
        return try SQLiteStore(
            path: path ?? disk.path("store"), databaseKey: SecretBytes(zeroed: 32),
            noncePrefix: Array(repeating: openings, count: 16), vfs: Disk.vfs)
    }

    /// The number of the last transaction in a store, having looked at all before it.
    func lastIntact(_ store: SQLiteStore) throws -> UInt64 {
        let last = try store.value(.replica).map(Self.number) ?? 0
        for number in 0...(begun + 1) {
            let outcome = try store.firstOutcome(intent: Self.bytes(number))
            let isDue = number > 0 && number <= last
            if isDue ? outcome?.first != UInt8(truncatingIfNeeded: number) : outcome != nil {
                throw Finding(text: "transaction \(number) of \(last): \(outcome?.count ?? -1)")
            }
        }
        return last
    }

    /// Runs one transaction, of a few rows or of many.
    func transact(
        _ store: SQLiteStore, _ durability: Durability = .full, bytes count: Int = 100
    ) throws(StorageError) {
        try store.begin(durability)
        begun += 1
        do throws(StorageError) {
            try store.recordOutcome(
                intent: Self.bytes(begun),
                [UInt8](repeating: UInt8(truncatingIfNeeded: begun), count: count))
            try store.setValue(.replica, Self.bytes(begun))
            try store.commit()
        } catch {
            if store.isInTransaction { store.rollback() }
            throw error
        }
        committed = begun
        if durability == .full { promised = begun }
    }

    /// Makes all that committed durable.
    func flush(_ store: SQLiteStore) throws(StorageError) {
        try store.flush()
        promised = committed
    }

    /// Closes the store in good order.
    func close(_ store: SQLiteStore) throws(StorageError) {
        try store.close()
        promised = committed
    }

    /// Goes on from what a store was found to hold.
    func resume(at last: UInt64) {
        (begun, committed, promised) = (last, last, last)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 7 }
    }

    private static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension DiskHome {
    /// How one run ended.
    struct Outcome {
        /// Promised or only committed transactions that were gone.
        var brokenPromises = 0
        var lostRelaxed = 0
        var findings: [String] = []
        var counters = DiskCounters()
        var image = DiskImage(files: [])
    }

    /// What ends each life of the device.
    enum End {
        case powerFailure, processDeath
    }

    /// Lives a few lives, each ended at any call, and looks at what each leaves behind.
    func live(_ lives: Int, endingIn end: End) -> Outcome {
        var outcome = Outcome()
        for life in 0...lives {
            if life < lives, end == .powerFailure {
                disk.crash(atCall: 1 + random.below(4 << random.below(9)))
            }
            do {
                try liveOnce(life < lives, &outcome)
            } catch let finding as Finding {
                outcome.findings.append("life \(life): \(finding.text)")
            } catch {
                if !disk.isDown { outcome.findings.append("life \(life): \(error)") }
            }
            if end == .powerFailure { disk.powerOff() } else { disk.killProcess() }
            disk.powerOn()
        }
        outcome.counters = disk.counters
        outcome.image = disk.image()
        return outcome
    }

    private func liveOnce(_ works: Bool, _ outcome: inout Outcome) throws {
        var store = try open()
        let last = try lastIntact(store)
        if last < promised { outcome.brokenPromises += 1 }
        if last < committed { outcome.lostRelaxed += 1 }
        if last > begun { throw Finding(text: "\(last) came from nowhere") }
        resume(at: last)
        guard works else { return }
        for _ in 0..<random.below(60) {
            switch random.below(16) {
            case 0:
                try close(store)
                store = try open()
            case 1: try flush(store)
            case 2...7: try transact(store, .relaxed, bytes: size())
            default: try transact(store, bytes: size())
            }
        }
    }

    private func size() -> Int { 1 + random.below(random.chance(1, in: 8) ? 60_000 : 300) }
}
