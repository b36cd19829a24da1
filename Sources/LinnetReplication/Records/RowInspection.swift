import LinnetCRDT
import LinnetWire

/// The work beside the exchange that finds out whether rows agree with the log.
struct RowInspection {
    /// The check of every row that is under way.
    var check: DeepCheck?
    /// The number of times that everything was folded anew.
    var refolds: UInt64 = 0
    /// The devices that hold the same batches as this one and show something else.
    var disputes: OrderedTable<DeviceID, RowDispute> = OrderedTable()
}

/// A disagreement with a device that holds the same batches and shows something else.
struct RowDispute: Equatable {
    /// The digest of the version vector of both.
    let vector: Bytes32
    /// True when this side has compared its rows with its log since.
    var isChecked = false
    /// True when a person was told that they still differ.
    var isTold = false
}

/// Equal vectors under one schema imply equal digests. Where two statements say otherwise, rows of
/// one side differ from its log. Both sides then compare their rows with their logs, and ask again.
extension RowInspection {
    /// Compares the two statements that were exchanged last with a peer; returns true when rows are
    /// to be compared with the log.
    mutating func compareStatements(
        _ state: OpenState, _ chains: ChainIndex, under schema: Schema, _ turn: inout Turn
    ) -> Bool {
        guard let own = state.certificates.own, let theirs = state.certificates.theirs,
            own.vector == theirs.vector, own.form == theirs.form,
            state.greeting.schemaVersion == UInt64(schema.version),
            chains.behind.isEmpty
        else { return false }
        guard own.visible != theirs.visible else {
            if disputes.removeValue(forKey: state.device) != nil {
                turn.outbox.notify(.differenceEnded(device: state.device))
            }
            return false
        }
        guard let dispute = disputes[state.device], dispute.vector == own.vector else {
            disputes[state.device] = RowDispute(vector: own.vector)
            turn.outbox.warn(.showsOtherwise(state.device, checked: false))
            return true
        }
        guard dispute.isChecked, !dispute.isTold else { return false }
        disputes[state.device]?.isTold = true
        turn.outbox.warn(.showsOtherwise(state.device, checked: true))
        return false
    }

    /// Returns true when a statement to a peer waits for the end of a check.
    func isChecking(for device: DeviceID) -> Bool {
        check != nil && disputes[device]?.isChecked == false
    }

    /// Asks again, after a check, the devices that showed something else.
    mutating func settleDisputes(in sessions: Sessions) {
        for session in sessions.all {
            guard case .open(let state) = session.state,
                disputes[state.device]?.isChecked == false
            else { continue }
            // A statement that was signed before the check may be wrong.
            state.certificates.own = nil
            if state.certificates.due == nil { state.certificates.due = .asking }
        }
        for device in disputes.keys {
            disputes[device]?.isChecked = true
        }
    }
}
