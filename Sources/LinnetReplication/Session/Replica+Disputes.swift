import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Equal vectors under one schema imply equal digests. Where two statements say otherwise, rows of
/// one side differ from its log. Both sides then compare their rows with their logs, and ask again.
extension Replica {
    /// Compares the two statements that were exchanged last with a peer.
    mutating func compareStatements(_ state: OpenState) throws(StorageError) {
        guard let own = state.certificates.own, let theirs = state.certificates.theirs,
            own.vector == theirs.vector, state.greeting.schemaVersion == UInt64(schema.version),
            chains.index.behind.isEmpty
        else { return }
        guard own.visible != theirs.visible else {
            if recordBook.inspection.disputes.removeValue(forKey: state.device) != nil {
                turn.outbox.notify(.differenceEnded(device: state.device))
            }
            return
        }
        guard let dispute = recordBook.inspection.disputes[state.device],
            dispute.vector == own.vector
        else {
            recordBook.inspection.disputes[state.device] = RowDispute(vector: own.vector)
            turn.outbox.warn(.showsOtherwise(state.device, checked: false))
            return try recordBook.beginDeepCheck(log)
        }
        guard dispute.isChecked, !dispute.isTold else { return }
        recordBook.inspection.disputes[state.device]?.isTold = true
        turn.outbox.warn(.showsOtherwise(state.device, checked: true))
    }

    /// Returns true when a statement to a peer waits for the end of a check.
    func isChecking(for device: DeviceID) -> Bool {
        recordBook.inspection.check != nil
            && recordBook.inspection.disputes[device]?.isChecked == false
    }

    /// Asks again, after a check, the devices that showed something else.
    mutating func settleDisputes() {
        for session in sessions.all {
            guard case .open(let state) = session.state,
                recordBook.inspection.disputes[state.device]?.isChecked == false
            else { continue }
            // A statement that was signed before the check may be wrong.
            state.certificates.own = nil
            if state.certificates.due == nil { state.certificates.due = .asking }
        }
        for device in recordBook.inspection.disputes.keys {
            recordBook.inspection.disputes[device]?.isChecked = true
        }
    }
}
