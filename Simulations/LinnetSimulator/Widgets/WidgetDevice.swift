import LinnetCrypto
import LinnetFaces
import LinnetMedication

/// The widgets of one device: the real host, the file that the app leaves for them, and what is up.
final class WidgetDevice {
    var host: WidgetHost<FaceEntry>
    /// The file that the app and its widgets share, and the one before.
    var file: [UInt8]?
    var olderFile: [UInt8]?
    var truth = FaceTruth()
    var budgets = WidgetBudgets()
    /// The entry that each widget shows.
    var shown: [WidgetID: Shown<FaceEntry>] = [:]
    var kinds: [FaceKind] = []
    var isInForeground = false
    var isLocked = false
    /// Counts restarts.
    var lives = 0
    /// The time at which the host is woken next, and the mark that the app is about to leave a
    /// snapshot.
    var wakeAt: Int64?
    var isPublishing = false
    var random: SeededRandom
    private let keys: Keys
    /// The file that the app itself left last.
    private(set) var lastLeft: [UInt8]?

    private struct Keys {
        let seed: [UInt8]
        let publicKey: [UInt8]

        init(seed: [UInt8]) {
            self.seed = seed
            publicKey = SigningKey(seed: SecretBytes(copying: seed)).publicKey
        }
    }

    var publicKey: [UInt8] { keys.publicKey }

    init(_ index: Int, _ plan: WidgetPlan, seed: UInt64) {
        host = WidgetHost(plan.limits)
        random = SeededRandom(seed: seed).fork("widgets of a device", index)
        keys = Keys(seed: random.bytes(32))
    }

    /// Leaves a snapshot, signed by the home's key or by that of another home.
    func leave(_ snapshot: FaceSnapshot, isOfAnotherHome: Bool = false) throws {
        let seed = isOfAnotherHome ? keys.seed.map { $0 ^ 1 } : keys.seed
        let bytes = try snapshot.sealed(by: SigningKey(seed: SecretBytes(copying: seed)))
        if !isOfAnotherHome { olderFile = file }
        if !isOfAnotherHome { lastLeft = bytes }
        file = bytes
    }

    /// The timeline that a widget's process makes of the file.
    func timeline(of kind: FaceKind, at now: Instant) -> Timeline<FaceEntry> {
        let reading: SnapshotReading =
            isLocked ? .locked : SnapshotReading(file, publicKey: publicKey, at: now)
        let context = TimelineContext(family: .small)
        return kind == .adherence
            ? AdherenceProvider(reading).timeline(in: context, at: now)
            : NextDoseProvider(reading).timeline(in: context, at: now)
    }
}
