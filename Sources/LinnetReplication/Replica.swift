package import LinnetCRDT
import LinnetCrypto
package import LinnetMembership
import LinnetStorage
package import LinnetWire

/// One device's replica of its group's data, as a value: it takes an input and the time, commits to
/// its store, and returns effects. It knows no clock, randomness, socket or task.
package struct Replica: ~Copyable {
    var turn: Turn
    let keys: DeviceKeys
    /// The collections that this version of the application declares.
    package internal(set) var schema: Schema
    var entropy: Entropy
    var author: Author
    var membership: Membership
    var chains: ChainBook
    var recordBook: RecordBook
    var sessions = Sessions()
    var desk: PairingDesk
    /// The companion lanes of a phone or a watch, once it belongs to a group.
    var lanes: LaneHost?
    /// The failure of the store, after which nothing is done; nil while there is none.
    var failure: StorageError?
    /// The notices for a person, and the clocks of others as they were found.
    var notices: NoticeBook
    /// A function that is told the progress of a commit of several batches while it becomes
    /// visible.
    package var showing: CommitTelling? {
        get { chains.showing }
        set { chains.showing = newValue }
    }
    var scopes = ScopeBook()
    var files: FileDesk
    /// The mailboxes of this home.
    var posts = PostBook()
    private let memory = KeptInMemory()

    var store: any Store { turn.store }
    var group: GroupState? { membership.group }
    /// The amounts that others brought.
    var arrivals: ArrivalBook {
        get { sessions.arrivals }
        _modify { yield &sessions.arrivals }
    }
    /// The part of the group's schema that a member tells a newcomer while they pair; nil where the
    /// shell knows of none that is exchanged in this way.
    package var pairingSchema: PairSchema? {
        get { desk.schema }
        set { desk.schema = newValue }
    }
    /// The scopes that are wanted beside those that every replica holds.
    package var subscription: Subscription { scopes.subscription }
    /// The batches that show, for one step of a call.
    package var log: BatchLog {
        BatchLog(store: store, chains: chains.index, group: group, schema: schema)
    }
    /// The records as they stand, for one step of a call.
    package var reader: RecordReader { recordBook.reading(log) }
    /// The replica as people ask about it, for one question.
    package var reading: ReplicaReading {
        ReplicaReading(
            records: reader, hidden: chains.hidden, damaged: chains.damaged, sessions: sessions,
            device: device)
    }
    /// The policy by which changed records are written into their rows; simulations use a faster
    /// one.
    package var foldPolicy: FoldPolicy {
        get { recordBook.policy }
        set { recordBook.policy = newValue }
    }
    /// The memory of opened parts of one commit, in bytes; simulations have less.
    package var partBytes: Int {
        get { chains.hidden.partBytes }
        set { chains.hidden.partBytes = newValue }
    }
    /// The work after which a call leaves what others wrote to the next one; simulations do less.
    package var shownInOneCall: Int {
        get { chains.shownInOneCall }
        set { chains.shownInOneCall = newValue }
    }
    /// True when rows were found that have to be written anew, for which the shell calls at once.
    package var hasDamagedRows: Bool { recordBook.mender.isDue || isRestatingDue }
    /// True when the next call goes on to show what others wrote, for which the shell calls at
    /// once.
    package var isShowingDue: Bool { chains.isShowingDue }
    /// This life of the device.
    package var incarnation: Incarnation { author.incarnation }
    /// The device's name in the protocol: its public signing key.
    package var device: DeviceID { keys.device }
    /// Returns a copy of the device's keys, for a replica that follows this one.
    package borrowing func copyOfKeys() -> DeviceKeys { keys.copy() }
    /// True when the store has failed, so that nothing is done any more.
    package var hasFailed: Bool { failure != nil }
    /// True when this device belongs to a group.
    package var isMember: Bool { group != nil }
    /// The kind of device that this one says it is; empty when nobody has told it yet.
    package var kind: String { author.profile.kind }
    /// The group, once there is one.
    package var groupID: GroupID? { group?.log.group }
    /// The words that a person can compare across two screens.
    package var fingerprint: [String] { Fingerprint.words(of: device.array) }

    /// Handles one input and returns what the shell must do, after committing.
    package mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
        guard failure == nil else { return [] }
        do throws(StorageError) {
            switch input {
            case .linkOpened(let link, let origin): openLink(link, origin, at: now)
            case .received(let link, let bytes): try receive(bytes, on: link, at: now)
            case .linkClosed(let link): try linkEnded(link, at: now)
            case .deadlineReached: try meetDeadlines(at: now)
            case .pairingDecision(let link, let accept, let role, let scopes):
                try decidePairing(link, accept: accept, role: role, scopes, at: now)
            case .schemaJudged(let link, let accept): try schemaJudged(link, accept: accept)
            case .mailAnswered(let id, let request, let answer, let traffic):
                posts.note(traffic, of: id)
                try mailAnswered(id, request, answer, at: now)
            case .mailNews(let id): posts.heardNews(of: id, at: now)
            }
            try mendRows()
            try restateWhenDue()
            let effects = try settle(at: now)
            if case .deadlineReached = input { try foldWhenIdle(at: now) }
            return effects
        } catch {
            return [.notify(.storeFailed(fail(error)))]
        }
    }

    /// Remembers that the store failed; all that was not committed is gone.
    mutating func fail(_ error: StorageError) -> StorageError {
        failure = error
        store.rollback()
        // The events that were to be told did not happen.
        turn = Turn(store)
        return error
    }
}

/// Has the compiler keep a value in memory, whose layout an existential hides from it. Otherwise it
/// takes a value that cannot be copied apart in each function that borrows it, to check the uses of
/// each part of each part: for a replica that took nine minutes, of nine and a half for the module.
private struct KeptInMemory {
    private let nothing: any Sendable = ()
}
