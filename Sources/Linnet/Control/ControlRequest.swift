package import LinnetCRDT
package import LinnetReplication

/// A request of a command to the node that has its home open.
///
/// Every request is answered by any number of responses and then `done` or `failed`. Only `decide`,
/// `more` and `cancel` belong to the request before them and have no answer of their own.
package enum ControlRequest: Equatable, Sendable {
    /// Tell who answers: answered by `identity`.
    case identify
    /// Carry out these writes as one commit: answered by `receipt`.
    case write([ControlWrite], intent: [UInt8]?)
    /// Read one record: answered by `records` with one or none.
    case get(collection: UInt32, record: RecordID)
    /// Read every record of a collection: answered by `records`, several times when there are many.
    case list(collection: UInt32)
    /// Read the records that a query finds, in its order: answered as `list` is, and by `next` when
    /// there are more than its limit.
    case query(Query)
    /// Tell what a query reads to find its records: answered by `plan`.
    case plan(Query)
    /// Count the records that a query finds, without its limit and offset: answered by `count`.
    case count(Query)
    /// Read the deleted records of a collection: answered by `trash`.
    case trash(collection: UInt32)
    /// List the changes of a record or of one field, newest first: answered by `history`.
    case history(collection: UInt32, record: RecordID, field: UInt32?, limit: UInt64)
    /// Explain the value of a field: answered by `explanation`.
    case why(collection: UInt32, record: RecordID, field: UInt32)
    /// Observe something, now and whenever it looks different: answered by `records`, `count` or
    /// `changed`, one response at a time, each after `more`, until `cancel`.
    case observe(ControlObservation)
    /// Send the next response to `observe`: the last one was used.
    case more
    /// Sign, check, list or exchange certificates.
    case certification(ControlCertification)
    /// List the scopes that this device holds: answered by `scopes`.
    case scopes
    /// Tell the state of the group: answered by `status`.
    case status
    /// Give this device another name: answered by `receipt`.
    case rename(String)
    /// Return the digest and the version vector: answered by `digest`.
    case digest
    /// Return the collections that the home keeps: answered by `schema`.
    case schema
    /// Show a code and wait for a newcomer: answered by `pairing` until the pairing ends.
    case offerPairing(PairingTerms)
    /// Type the code or ticket that a newcomer shows: answered by `pairing`.
    case typePairing(secret: String, whose: PairingPeer, PairingTerms)
    /// Accept or turn away the newcomer that the last `pairing` response named.
    case decide(accept: Bool)
    /// Stop the pairing or the observation under way.
    case cancel
    /// Exchange until in step with these peers, or with every device that is found: answered by
    /// `progress` and `synced`.
    case synchronize(peers: [String], discovers: Bool, timeoutMilliseconds: UInt64)
    /// Lock, unlock, protect, back up, examine or stop the device.
    case device(ControlDeviceRequest)
    /// Ask something of the companion lanes: answered by `companion`.
    case companion(ControlCompanionRequest)
}

/// Something that a command observes.
package enum ControlObservation: Equatable, Sendable {
    /// One record: `records` with one or none.
    case record(collection: UInt32, record: RecordID)
    /// The records that a query finds: `records` with all of them.
    case query(Query)
    /// The number of records that a query finds: `count`.
    case count(Query)
    /// The changes from now on in one collection, or in all: `changed`. The first response is empty
    /// and says that changes are noted; later ones name each record once, however often it changed
    /// meanwhile.
    case changes(collection: UInt32?)
}

/// The device whose code or ticket was typed, as far as the person named it.
package struct PairingPeer: Equatable, Sendable {
    /// The `host:port` at which that device listens.
    package var address: String?
    /// The first characters of the name that its screen shows.
    package var screen: String?

    /// Joins the facts.
    package init(address: String? = nil, screen: String? = nil) {
        self.address = address
        self.screen = screen
    }
}

/// The terms of a pairing: what the member grants, and where it listens meanwhile.
package struct PairingTerms: Equatable, Sendable {
    /// True when the newcomer may admit others.
    package var isAdmin: Bool
    /// The `host:port` at which to listen when the node does not listen yet.
    package var listen: String?
    /// True when a node that was not started may use DNS-SD.
    package var discovers: Bool
    /// The directory shared with the phone or the watch, through which a node that was not started
    /// pairs without sockets.
    package var companionLink: String?

    /// Joins the terms.
    package init(
        isAdmin: Bool = true, listen: String? = nil, discovers: Bool = true,
        companionLink: String? = nil
    ) {
        self.isAdmin = isAdmin
        self.listen = listen
        self.discovers = discovers
        self.companionLink = companionLink
    }
}

/// The value of one member of a field; a field that is not a group has only the member 0.
package struct ControlField: Equatable, Sendable {
    /// The number of the field.
    package var field: UInt32
    /// The member's place in the field.
    package var member: UInt32
    /// The value of the member.
    package var value: Value

    /// Names a value.
    package init(field: UInt32, member: UInt32 = 0, value: Value) {
        self.field = field
        self.member = member
        self.value = value
    }
}
