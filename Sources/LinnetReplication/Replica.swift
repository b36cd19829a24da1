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
    package internal(set) var schema: LinnetCRDT.Schema
    var entropy: Entropy
    var author: Author
    var membership: Membership
    var chains: ChainBook
    var recordBook: RecordBook
    var sessions = Sessions()
    var desk: PairingDesk
    /// The companion lanes of a phone or a watch, once it belongs to a group.
    var lanes: LaneHost?
    /// Set once the store has failed: nothing is done after it.
    var failure: StorageError?
    /// What a person has to be told of, and how the clocks of others were found.
    var notices: NoticeBook
    /// Peers that sent more than may wait, as long as anything waits.
    var flooders: OrderedSet<DeviceID> = OrderedSet([])
    /// Is told how far the work on a commit of several batches is while it becomes visible.
    package var showing: CommitTelling?
    /// The scopes that are wanted beside those that every replica holds.
    package internal(set) var subscription = Subscription.all
    /// Those of which all has come that the group had when this replica came to hold them.
    var known = KnownScopes()

    var store: any Store { turn.store }
    var group: GroupState? { membership.group }
    /// What a member tells a newcomer of the group's schema while they pair; nil where the shell
    /// knows of none that is exchanged so.
    package var pairingSchema: PairSchema? {
        get { desk.schema }
        set { desk.schema = newValue }
    }
    /// The batches that show, for one step of a call.
    var log: BatchLog {
        BatchLog(store: store, chains: chains.index, group: group, schema: schema)
    }
    /// When changed records are written into their rows; simulations hurry.
    package var foldPolicy: FoldPolicy {
        get { recordBook.policy }
        set { recordBook.policy = newValue }
    }
    /// Whether rows were met that have to be written anew: the shell calls at once then.
    package var hasDamagedRows: Bool { recordBook.mender.isDue }
    /// This life of the device.
    package var incarnation: Incarnation { author.incarnation }
    /// The device's name in the protocol: its public signing key.
    package var device: DeviceID { keys.device }
    /// The device's keys once more, for a replica that follows this one.
    package borrowing func copyOfKeys() -> DeviceKeys { keys.copy() }
    /// Whether the store has failed, so that nothing is done any more.
    package var hasFailed: Bool { failure != nil }
    /// Whether this device belongs to a group.
    package var isMember: Bool { group != nil }
    /// What this device says it is; empty when nobody told it yet.
    package var kind: String { author.profile.kind }
    /// The group, once there is one.
    package var groupID: GroupID? { group?.log.group }
    /// Words that a person can compare across two screens.
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
            case .pairingDecision(let link, let accept, let role):
                try decidePairing(link, accept: accept, role: role, at: now)
            case .schemaJudged(let link, let accept): try schemaJudged(link, accept: accept)
            }
            try recordBook.mendRows(log, &turn, &chains)
            let effects = try settle(at: now)
            if case .deadlineReached = input { try foldWhenIdle(at: now) }
            return effects
        } catch {
            return [.notify(.storeFailed(fail(error)))]
        }
    }

    /// Remembers that the store failed; whatever was not committed is gone.
    mutating func fail(_ error: StorageError) -> StorageError {
        failure = error
        store.rollback()
        // What was to be told of is not so.
        turn = Turn(store)
        return error
    }
}
