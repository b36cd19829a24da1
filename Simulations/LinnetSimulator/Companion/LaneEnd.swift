import LinnetCompanion
import LinnetWire

/// One device of the scenario `companion`: the real machine, its rows, and an app.
final class LaneEnd {
    let index: Int
    let device: DeviceID
    var machine: Companion
    /// The journal; looked up and never walked but in the order of its keys.
    private var rows = OrderedTable<RowKey, [UInt8]>()
    /// The bytes of received files.
    var inbox: [TransferID: [UInt8]] = [:]
    /// The state that the app is said to be in, until the system decides otherwise.
    var wantedState = AppState.foreground
    /// True when the next input's effects are lost after their commit.
    var diesAfterCommit = false
    /// True when the process has ended and not started again.
    var isDead = false
    /// The time at which somebody unlocks the device, whatever its processes do until then, or nil.
    var unlockTime: Int64?
    var lives = 1
    var deadline: Int64?

    struct RowKey: Comparable {
        let bytes: [UInt8]
        static func < (left: RowKey, right: RowKey) -> Bool {
            left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }

    init(_ index: Int, _ switches: CompanionSwitches, salt: UInt64) throws(CompanionError) {
        self.index = index
        device = DeviceID(repeating: UInt8(index + 1))
        var random = SeededRandom(seed: salt)
        let installation = Bytes8(random.bytes(8)) ?? .zero
        machine = try Companion(
            role: index == 0 ? .phone : .watch, installation: installation, switches: switches,
            journal: [])
    }

    /// Commits the rows and files of an answer.
    func commit(_ effects: [CompanionEffect]) {
        for effect in effects {
            switch effect {
            case .put(let row): rows[RowKey(bytes: row.key)] = row.value
            case .remove(let key): rows[RowKey(bytes: key)] = nil
            case .store(let id, let offset, let bytes):
                inbox[id] = Array((inbox[id] ?? []).prefix(Int(offset))) + bytes
            case .discard(let id): inbox[id] = nil
            default: break
            }
        }
    }

    /// The process starts again from its rows.
    func restart() throws(CompanionError) {
        lives += 1
        diesAfterCommit = false
        isDead = false
        machine = try Companion(
            role: machine.role, installation: .zero, switches: machine.switches,
            journal: rows.map { JournalRow(key: $0.key.bytes, value: $0.value) })
    }
}
