import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The knowledge that the simulator has of one replica: all that it held and showed at the last
/// look.
final class DeviceView {
    var rows: [ChainRow] = []
    var held = FactSet()
    var applied = FactSet()
    /// Fingerprints of the applied batches and of the records that show.
    var appliedPrint: UInt64 = 0
    var statePrint = StatePrint()
    var records: [RecordKey: RecordState] = [:]
    var promised = Promised()
    var past = Past()
    var version: Int
    /// The version that showed `records`.
    let shownVersion: Int
    /// The replica folded on without a damaged batch: what it shows is not the whole.
    var isDamaged = false
    /// The collections whose scopes the device does without.
    var leaves: [UInt32] = []
    /// The time at which a batch was last stored, and the process last started.
    var changedAt: Int64 = 0
    var incarnation: Incarnation?
    /// The batches that waited at the last step that was looked at.
    var pending = Totals(count: 0, bytes: 0)

    init(version: Int) {
        self.version = version
        shownVersion = version
    }

    /// A view of the same device that nothing was looked at for yet.
    init(after before: DeviceView) {
        version = before.version
        shownVersion = before.version
        promised = before.promised
        leaves = before.leaves
        past = before.past
        past.mayHaveLost = false
        past.lostPower = false
        past.isFresh = true
    }

    /// The batches of which a device told its people something.
    struct Promised {
        /// Those that it acknowledged as durable.
        var durable: [Int] = []
        /// Those that it acknowledged as committed and not yet durable.
        var relaxed: [Int] = []
        /// Those that were stored and have not been synced since.
        var unsynced: [Int] = []
        /// The time at which some of those were made durable last, or the device began to list
        /// them: the disk may have synced before for another reason.
        var flushedAt = Int64.min
        /// Those that the device itself takes for not durable, and lists to nobody.
        var unlisted: [Int] = []
        /// The number of syncs of its disk that were seen.
        var syncs = 0
    }

    /// The accidents of a home.
    struct Past {
        /// A restore or a rotten bit may have taken something since the last look.
        var mayHaveLost = false
        /// Power failed since the last start: what was not durable may be gone.
        var lostPower = false
        /// The home went back in time at least once: its memory of intents may have, too.
        var wentBack = false
        /// A bit of a stored batch changed.
        var hasRotted = false
        /// True when rows of its batches are gone and it may not have noticed yet.
        var mayLackRows = false
        /// True when bits of its rows changed.
        var hasRottenRows = false
        /// The replica was opened since the last look: it still has to say what it applied then.
        var isFresh = true
    }
}
