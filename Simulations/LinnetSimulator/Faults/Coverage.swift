import LinnetCRDT
import LinnetReplication
import LinnetWire

/// States of the protocol and of a replica that a long swarm must have reached.
package enum ProtocolState: String, CaseIterable, Sendable {
    case sessionOpened, sessionReplaced, sessionBroken, sessionTimedOut, sessionRefused
    case sessionShutDown, sessionTruncated, handshakeFailed
    case inStep, skewSeen, forkSeen, memberAdded, paired, pairingFailed
    case witnessMissing, witnessDiffers, databaseOlder, peersHoldMore, copyRunning, copyWrote
    case severalBatches, relaxedCommit, intentRepeated, commitFailed, batchWaited, rotFound
    case ownBatchLost, batchesRestated
    case rowRebuilt
    case writeRefused, valuesConflicted, recordRestored, updateOutlived, logCollided, keyCovered
    case scopeLeft, forkHealedInSession
    case mailboxRead, mailboxFailed, newsHeard
    case fileFetched
    case batchesFolded

    /// The kind in a sentence.
    package var sentence: String {
        switch self {
        case .sessionOpened: "Two devices authenticated each other."
        case .sessionReplaced: "A second session with the same peer replaced the first."
        case .sessionBroken: "A session ended because its bytes broke the rules."
        case .sessionTimedOut: "A session ended because the peer was silent."
        case .sessionRefused: "A peer was refused: no member, or no key of the group."
        case .sessionShutDown: "A session ended because the peer went down in order."
        case .sessionTruncated: "A session ended without a goodbye."
        case .handshakeFailed: "A handshake failed."
        case .inStep: "Two devices knew that they hold the same."
        case .skewSeen: "A peer's clock was found wrong."
        case .forkSeen: "An author's two histories were found."
        case .memberAdded: "A device joined the group."
        case .paired: "A pairing succeeded."
        case .pairingFailed: "A pairing failed."
        case .witnessMissing: "A home started a new life because its witness was missing."
        case .witnessDiffers: "A home started a new life because its witness named another place."
        case .databaseOlder: "A home found itself older than its witness."
        case .peersHoldMore: "A home found that peers hold batches which it lost."
        case .copyRunning: "A home met its running copy."
        case .copyWrote: "A home found that a copy wrote in its name."
        case .severalBatches: "A commit took several batches."
        case .relaxedCommit: "A commit returned before it was durable."
        case .intentRepeated: "A repeated intent got its first outcome."
        case .commitFailed: "A commit ended in an error of the store."
        case .batchWaited: "A batch waited for another."
        case .rotFound: "A stored batch was found damaged."
        case .ownBatchLost: "The disk of a device lost a batch that nobody else had."
        case .batchesRestated: "A device said again what its disk lost."
        case .rowRebuilt: "A row that was not what the log says was made anew."
        case .writeRefused: "The interface refused to change what never changes."
        case .valuesConflicted: "A field showed several concurrent values."
        case .recordRestored: "A deleted record was brought back."
        case .updateOutlived: "An update outlived a delete that had not seen it."
        case .logCollided: "A record of a log had two contents."
        case .scopeLeft: "A device did without a scope for a while."
        case .forkHealedInSession: "A fork was healed in sessions that went on."
        case .mailboxRead: "A device looked into a mailbox from beginning to end."
        case .mailboxFailed: "A look into a mailbox ended early."
        case .newsHeard: "A device was told by a store that there is something new."
        case .fileFetched: "A device got all of a file from others."
        case .batchesFolded: "A device folded batches that everybody held, and deleted them."
        case .keyCovered: "A count took a key of a tally into account."
        }
    }
}

/// The number of times that each fault and each state of the protocol happened.
package struct Coverage: Equatable, Sendable {
    /// By the order of `FaultKind.allCases`.
    package private(set) var faults = [Int](repeating: 0, count: FaultKind.allCases.count)
    /// By the order of `ProtocolState.allCases`.
    package private(set) var states = [Int](repeating: 0, count: ProtocolState.allCases.count)

    private static let faultNumbers = Dictionary(
        uniqueKeysWithValues: FaultKind.allCases.enumerated().map { ($1, $0) })
    private static let stateNumbers = Dictionary(
        uniqueKeysWithValues: ProtocolState.allCases.enumerated().map { ($1, $0) })

    /// Nothing has happened.
    package init() {}

    /// Counts a fault.
    package mutating func happened(_ fault: FaultKind, _ times: Int = 1) {
        if let number = Self.faultNumbers[fault] { faults[number] += times }
    }

    /// True when a fault happened.
    func has(_ kind: FaultKind) -> Bool {
        Self.faultNumbers[kind].map { faults[$0] > 0 } ?? false
    }

    /// Counts a state.
    package mutating func reached(_ state: ProtocolState, _ times: Int = 1) {
        if let number = Self.stateNumbers[state] { states[number] += times }
    }

    /// Adds what happened elsewhere.
    package mutating func add(_ other: Coverage) {
        for index in faults.indices { faults[index] += other.faults[index] }
        for index in states.indices { states[index] += other.states[index] }
    }

    mutating func noticed(_ event: Event) {
        switch event {
        case .batchApplied, .recordsChanged: break
        case .sessionOpened: reached(.sessionOpened)
        case .sessionClosed(_, _, let reason): closed(reason)
        case .peerInStep: reached(.inStep)
        case .differenceEnded, .pairingRequest, .schemaShown, .memberRemoved, .wipeAsked,
            .fileGrew, .fileEnded:
            break
        case .pairingFailed: reached(.pairingFailed)
        case .paired: reached(.paired)
        case .memberAdded: reached(.memberAdded)
        case .storeFailed: reached(.commitFailed)
        case .warning(let warning): warned(warning)
        }
    }

    mutating func committed(_ receipt: CommitReceipt, relaxed: Bool) {
        if receipt.batches > 1 {
            reached(.severalBatches)
            happened(receipt.batches > 3 ? .importInParts : .bigCommit)
        }
        if relaxed {
            reached(.relaxedCommit)
            happened(.relaxedWrite)
        }
    }

    /// Counts what a record shows, when it changed.
    mutating func saw(_ state: RecordState) {
        if !state.restored.isEmpty { reached(.recordRestored) }
        if state.isLive, state.generation.isMultiple(of: 2) { reached(.updateOutlived) }
        for (_, content) in state.visibleContents {
            if content.isConflicting { reached(.valuesConflicted) }
            if case .tally(let tally) = content, tally.keys.contains(where: \.isCovered) {
                reached(.keyCovered)
            }
        }
        if case .log(let log)? = state.content(of: 0), log.isCollision { reached(.logCollided) }
    }

    private mutating func closed(_ reason: SessionEnd) {
        switch reason {
        case .duplicate: reached(.sessionReplaced)
        case .protocolViolation: reached(.sessionBroken)
        case .timeout: reached(.sessionTimedOut)
        case .shutdown: reached(.sessionShutDown)
        case .truncated: reached(.sessionTruncated)
        case .unknownPeer, .pskMismatch, .denied, .removed, .formerMember:
            reached(.sessionRefused)
        case .handshakeFailed: reached(.handshakeFailed)
        case .normal, .itself, .other: break
        }
    }

    private mutating func warned(_ warning: Warning) {
        switch warning {
        case .clockSkew: reached(.skewSeen)
        case .authorForked: reached(.forkSeen)
        case .incarnationRotated(let reason): rotated(reason)
        case .damagedBatch, .damagedOwnBatch: reached(.rotFound)
        case .batchesRestated: reached(.batchesRestated)
        case .rowRebuilt, .rowIncomplete: reached(.rowRebuilt)
        default: break
        }
    }

    private mutating func rotated(_ reason: String) {
        switch reason {
        case "the witness file is missing": reached(.witnessMissing)
        case "the database is older than what this device has sent": reached(.databaseOlder)
        case "a peer holds batches of this home that it lost": reached(.peersHoldMore)
        case "a copy of this home is running": reached(.copyRunning)
        case "another copy of this home wrote under the same incarnation": reached(.copyWrote)
        default: reached(.witnessDiffers)
        }
    }
}
