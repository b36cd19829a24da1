import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// What the simulator knows of one replica: what it held and showed when it was last looked at.
struct DeviceView {
    var rows: [ChainRow] = []
    var held = FactSet()
    var applied = FactSet()
    /// Fingerprints of the applied batches and of the records that show.
    var appliedPrint: UInt64 = 0
    var statePrint = StatePrint()
    var records: [RecordKey: RecordState] = [:]
    /// Facts that the replica acknowledged as durable to its own writers.
    var acknowledged: [Int] = []
    /// Facts that were acknowledged as committed and not yet durable.
    var relaxed: [Int] = []
    /// Facts that were stored and have not been synced since.
    var unsynced: [Int] = []
    var version = 0
    /// The version that showed `records`.
    var shownVersion = 0
    /// A restore or a rotten bit may have taken something since the last look.
    var mayHaveLost = false
    /// Power failed since the last start: what was not durable may be gone.
    var lostPower = false
    /// The home went back in time at least once: its memory of intents may have, too.
    var wentBack = false
    /// A bit of a stored batch changed.
    var hasRotted = false
    /// Whether bits of its rows changed.
    var hasRottenRows = false
    /// The replica folded on without a damaged batch: what it shows is not the whole.
    var isDamaged = false
    /// The collections whose scopes the device does without.
    var leaves: [UInt32] = []
    /// When a batch was last stored, and when the process last started.
    var changedAt: Int64 = 0
    /// The replica's clock, and its incarnation, when it was last looked at.
    var clock = Timestamp.zero
    var incarnation: Incarnation?
    /// The replica was opened since the last look: it still has to say what it applied then.
    var isFresh = true
}
