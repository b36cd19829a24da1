public import LinnetSystem

/// The place of a record.
public struct RecordPlace: Hashable, Sendable {
    /// The name of the collection.
    public let collection: String
    /// The record's identifier.
    public let id: String

    /// Names a record.
    public init(collection: String, id: String) {
        self.collection = collection
        self.id = id
    }
}

/// The state of the search for other devices on the local network.
public enum NetworkState: String, Sendable {
    /// Discovery is switched off.
    case off
    /// Nobody was found yet.
    case searching
    /// Somebody was found.
    case found
    /// No mDNS daemon answers.
    case noDaemon
    /// The system refuses access to the local network.
    case permissionRefused
    /// No usable interface carries multicast.
    case noMulticast
}

/// An event that a node tells those who observe it.
public enum NodeEvent: Equatable, Sendable {
    /// An announcement on the network belongs to a member of the group.
    case peerFound(instance: String)
    /// A session with a member is open.
    case peerConnected(Device)
    /// The last session with a member ended; the reason is for people.
    case peerLost(Device, reason: String)
    /// A batch became visible here.
    case batchApplied(author: Device, sequence: UInt64, operations: Int, isLocal: Bool)
    /// A change that was new here was merged into these records; it may have lost to another one.
    case recordsChanged([RecordPlace])
    /// This device and a member hold the same, and both know it.
    case inStep(Device)
    /// Finding others on the network changed its state.
    case network(NetworkState)
    /// A newcomer waits for this device's person to answer.
    case newcomerWaits(Newcomer)
    /// A device failed to pair; the offer stands while tries are left.
    case pairingFailed(PairingProblem)
    /// A pairing succeeded with this device.
    case paired(Device)
    /// A device joined the group.
    case memberAdded(Device)
    /// A device belongs to the group no more, by the word of the other one, which is nil when it
    /// went along with one that was removed.
    case memberRemoved(Device, by: Device?)
    /// This device uses a newer schema of its group from now on; changes that were kept for it
    /// show.
    case schemaLearned(version: UInt32)
    /// Something deserves attention; this is told once, however often it happens before it has
    /// ended.
    case warning(NodeWarning)
    /// The cause of a warning is gone.
    case warningEnded(NodeWarning)
    /// Something is wrong with the program or its surroundings, and the policy is to note it here.
    case integrityFound([IntegrityFinding])
    /// The keys left memory; nothing is read, written or exchanged until the node is unlocked.
    case locked
    /// The keys are back, and the node takes part again.
    case unlocked
    /// The node stopped; it gives a reason when it had to stop.
    case stopped(reason: String?)
}
