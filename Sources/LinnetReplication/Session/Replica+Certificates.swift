import LinnetStorage
package import LinnetWire

extension Replica {
    /// Signs for every connected peer what this device holds, and asks it to do the same.
    package mutating func exchangeStatements(at now: Moment) throws(ReplicaError) -> [Effect] {
        guard isMember else { throw .notAMember }
        for (_, state) in sessions.open {
            guard state.certificates.areTaken, state.heardHave else { continue }
            state.certificates.due = .asking
        }
        return try storage { () throws(StorageError) in try settle(at: now) }
    }

    /// The connected peers that were asked for a statement and have not answered.
    package var devicesAwaited: [DeviceID] {
        sessions.open.map(\.state).filter {
            $0.certificates.isAwaited || $0.certificates.due == .asking
        }.map(\.device)
    }

    /// Takes the peer's statement, which has to be about itself and this group.
    mutating func receiveCertificate(
        _ body: [UInt8], state: OpenState
    ) throws(SessionFault) {
        let message = try decoded { () throws(WireError) in try CertificateMessage.decode(body) }
        guard message.statement.device == state.device,
            message.statement.form == state.certificates.form,
            group?.accepts(message.statement) == true
        else {
            throw .violation
        }
        // A statement that was not asked for proves nothing without ours beside it.
        guard message.wantsAnswer || state.certificates.isAwaited else { throw .violation }
        state.certificates.theirs = message.statement
        if message.wantsAnswer {
            if state.certificates.due == nil { state.certificates.due = .answering }
        } else {
            state.certificates.isAwaited = false
            try stored { () throws(StorageError) in
                try sessions.remember(state, &turn)
                try compareStatements(state)
            }
        }
    }

    /// Returns a fresh statement, or the last one when it is as good, since one for a device of
    /// 0.1.0 takes a look at every record. Nil while there are more records to read for its digest,
    /// of which a call reads some hundreds.
    private func statement(
        in talk: CertificateTalk, at now: Moment
    ) throws(ReplicaError) -> HoldingStatement? {
        if let last = talk.own, last.form == talk.form,
            abs(now.wallMilliseconds - last.wallMilliseconds) < Limits.certificateMilliseconds,
            try storage({ () throws(StorageError) in try chains.vectorDigest(in: store) })
                == last.vector
        {
            return last
        }
        guard talk.form == .tree else { return try holdingStatement(talk.form, at: now) }
        guard let root = try reader.root(atMost: ReadingSlice.usual.records) else { return nil }
        return try holdingStatement(.tree, root, at: now)
    }

    /// Sends the statement that is due, once everything that it covers is durable and was read.
    mutating func certify(
        _ state: OpenState, session: Session, at now: Moment
    ) throws(SessionFault) {
        state.certificates.isBeingMade = false
        guard let need = state.certificates.due, chains.unsynced.isEmpty,
            !recordBook.inspection.isChecking(for: state.device)
        else { return }
        let own: HoldingStatement
        do throws(ReplicaError) {
            guard let made = try statement(in: state.certificates, at: now) else {
                state.certificates.isBeingMade = true
                return
            }
            own = made
        } catch {
            if case .storage(let failure) = error { throw .storage(failure) }
            return
        }
        state.certificates.due = nil
        state.certificates.own = own
        let message = CertificateMessage(wantsAnswer: need == .asking, statement: own)
        try session.send(.certificate, message.encode())
        if need == .asking {
            state.certificates.theirs = nil
            state.certificates.isAwaited = true
        } else {
            try stored { () throws(StorageError) in
                try sessions.remember(state, &turn)
                if store.isInTransaction { try store.commit() }
                try compareStatements(state)
            }
        }
    }

    /// Compares the two statements that were exchanged last with a peer, and checks the rows where
    /// they differ.
    private mutating func compareStatements(_ state: OpenState) throws(StorageError) {
        if recordBook.inspection.compareStatements(state, chains.index, under: schema, &turn) {
            try recordBook.beginDeepCheck(log)
        }
    }
}
