import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// The facts that this side of a pairing tells of itself.
    var ownSide: OwnSide {
        OwnSide(
            name: author.profile.name, kind: author.profile.kind, group: groupID,
            sealsByScope: group?.rights.isScoped == true)
    }

    mutating func receivePairing(
        _ type: MessageType, _ body: [UInt8], _ state: PairingState, _ session: Session,
        at now: Moment
    ) throws(SessionFault) {
        let step = try desk.receive(type, body, state, session, as: ownSide, keys, at: now, &turn)
        try pair(step, session, at: now)
    }

    /// Takes the answer of the person at the member's screen.
    mutating func decidePairing(
        _ link: LinkID, accept: Bool, role: Role, _ scopes: ScopeChoice?, at now: Moment
    ) throws(StorageError) {
        guard let session = sessions[link] else { return }
        // The shell asks before; what cannot be granted admits nobody.
        let grant = try? grant(scopes, to: role, butFor: nil)
        try carrying(on: session) { (replica) throws(SessionFault) in
            let step = try replica.desk.decide(
                session, accept: accept && grant != nil, as: grant ?? RoleGrant(role),
                sealsByScope: replica.ownSide.sealsByScope, at: now, &replica.turn)
            try replica.pair(step, session, at: now)
        }
    }

    /// Takes the shell's judgement of the group's schema.
    mutating func schemaJudged(_ link: LinkID, accept: Bool) throws(StorageError) {
        guard let session = sessions[link] else { return }
        try carrying(on: session) { (replica) throws(SessionFault) in
            try replica.desk.judged(session, accept: accept, &replica.turn)
        }
    }

    private mutating func pair(
        _ step: PairingStep, _ session: Session, at now: Moment
    ) throws(SessionFault) {
        switch step {
        case .wait: break
        case .admit(let newcomer, let grant):
            let page = try desk.admit(
                newcomer, as: grant, session, to: &membership, keys, at: now, &entropy, &turn)
            if page != nil, case .pairing(let state) = session.state {
                scopes.note(newcomer.certificate.device, readsScoped: state.readsScoped)
            }
            var failure: SessionFault?
            if let page { failure = try welcome(page, session, at: now) }
            try stored { () throws(StorageError) in try turn.checkStore() }
            if let failure { throw failure }
        case .enter(let log):
            membership.enter(log, schema: schema, keys: keys)
            membership.vote(keys, &turn)
            author.profile.isDue = true
            do throws(StorageError) {
                try scopes.known.become(.nothing, in: &turn)
            } catch {
                throw .storage(error)
            }
        }
    }

    /// Sends a newcomer the first page of the log; returns the failure of that. The others hear of
    /// the newcomer all the same: it is a member already.
    private mutating func welcome(
        _ page: PairWelcome, _ session: Session, at now: Moment
    ) throws(SessionFault) -> SessionFault? {
        var failure: SessionFault?
        do throws(SessionFault) {
            try desk.send(page, session)
        } catch {
            failure = error
        }
        do throws(SessionFault) {
            try membershipGrew(at: now)
        } catch {
            if case .storage = error { throw error }
        }
        return failure
    }
}
