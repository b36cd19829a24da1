package import LinnetCRDT
package import LinnetReplication

/// What a command asks of the node that has its home open.
///
/// Every request is answered by any number of responses and then `done` or `failed`; only
/// `decide`, `more` and `cancel` belong to the request before them and have no answer of their own.
package enum ControlRequest: Equatable, Sendable {
    /// Who is there: answered by `identity`.
    case identify
    /// Perform these writes as one commit: answered by `receipt`.
    case write([ControlWrite], intent: [UInt8]?)
    /// One record: answered by `records` with one or none.
    case get(collection: UInt32, record: RecordID)
    /// Every record of a collection: answered by `records`, several times when there are many.
    case list(collection: UInt32)
    /// The records that a query asks for, in its order: answered as `list` is, and by `next` when
    /// there are more than its limit.
    case query(Query)
    /// What a query reads to find its records: answered by `plan`.
    case plan(Query)
    /// How many records a query without limit and offset asks for: answered by `count`.
    case count(Query)
    /// The deleted records of a collection: answered by `trash`.
    case trash(collection: UInt32)
    /// What happened to a record or one field of it, newest first: answered by `history`.
    case history(collection: UInt32, record: RecordID, field: UInt32?, limit: UInt64)
    /// Why a field shows what it shows: answered by `explanation`.
    case why(collection: UInt32, record: RecordID, field: UInt32)
    /// Something to be told of now and whenever it looks different: answered by `records`, `count`
    /// or `changed`, one response at a time, each after `more`, until `cancel`.
    case observe(ControlObservation)
    /// The last response to `observe` was used: the next one may come.
    case more
    /// Signed statements of what devices hold.
    case certification(ControlCertification)
    /// Which scopes this device holds: answered by `scopes`.
    case scopes
    /// The state of the group: answered by `status`.
    case status
    /// Give this device another name: answered by `receipt`.
    case rename(String)
    /// The digest and the vector: answered by `digest`.
    case digest
    /// The collections that the home keeps: answered by `schema`.
    case schema
    /// Show a code and wait for a newcomer: answered by `pairing` until the pairing ends.
    case offerPairing(PairingTerms)
    /// Type the code or ticket that a newcomer shows: answered by `pairing`.
    case typePairing(secret: String, whose: PairingPeer, PairingTerms)
    /// Accept or turn away the newcomer that the last `pairing` response named.
    case decide(accept: Bool)
    /// Stop the pairing or the observation under way.
    case cancel
    /// Exchange until in step with these peers, or with whoever is found: answered by `synced`.
    case synchronize(peers: [String], discovers: Bool, timeoutMilliseconds: UInt64)
    /// Lock, unlock, protect, back up or stop the device.
    case device(ControlDeviceRequest)
    /// Something of the companion lanes: answered by `companion`.
    case companion(ControlCompanionRequest)
}

/// What a command observes.
package enum ControlObservation: Equatable, Sendable {
    /// One record: `records` with one or none.
    case record(collection: UInt32, record: RecordID)
    /// The records that a query asks for: `records` with all of them.
    case query(Query)
    /// How many records a query asks for: `count`.
    case count(Query)
    /// What changes from now on in one collection, or in all: `changed`, the first one empty once
    /// changes are noted, then each record once however often it changed meanwhile.
    case changes(collection: UInt32?)
}

/// Whose code or ticket was typed, as far as the person said.
package struct PairingPeer: Equatable, Sendable {
    /// Where the newcomer listens, "host:port".
    package var address: String?
    /// The first characters of the name that its screen shows.
    package var screen: String?

    /// Joins the facts.
    package init(address: String? = nil, screen: String? = nil) {
        self.address = address
        self.screen = screen
    }
}

/// What the member grants and where it listens while it pairs.
package struct PairingTerms: Equatable, Sendable {
    /// Whether the newcomer may admit others.
    package var isAdmin: Bool
    /// Where to listen when the node does not listen yet, "host:port".
    package var listen: String?
    /// Whether a node that was not started may use DNS-SD.
    package var discovers: Bool
    /// The directory shared with the phone or the watch through which a node that was not started
    /// pairs, without sockets.
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

/// The value of one member of a field; a field that is no group has the member 0 alone.
package struct ControlField: Equatable, Sendable {
    /// The field's number.
    package var field: UInt32
    /// The member's place in the field.
    package var member: UInt32
    /// Its value.
    package var value: Value

    /// Names a value.
    package init(field: UInt32, member: UInt32 = 0, value: Value) {
        self.field = field
        self.member = member
        self.value = value
    }
}
