/// Everything that the world does to a fleet; each seed draws its own few of these.
package enum FaultKind: String, CaseIterable, Sendable {
    // The network.
    case partition, oneWayPartition, bridgePartition, clog, slowLink, drip, reorder, duplicate
    case drop, truncate, bitFlip, replay, flapping, halfOpen, garbage
    // Clocks.
    case skewSeconds, skewYears, drift, stepForward, stepBack, frozenClock
    // Processes.
    case crashAtEffect, crashAtDiskCall, processKill, powerCut, restartStorm, suspension
    // Disks.
    case lostWrites, tornWrite, syncFailure, writeError, readError, diskFull, bitRot
    // Identity.
    case restoreWithWitness, restoreWithoutWitness, rollback, cloneWithWitness
    case cloneWithoutWitness, lateJoiner, wrongCode, ticketPairing
    // Applications and people.
    case olderVersion, upgrade, downgrade, relaxedWrite, intentRetry, bigCommit, importInParts
    case editRace, deleteRace, recreation, yearOffline
    // People and the kinds of fields.
    case restoration, typing, recount, sameOccurrence, collision, move, membership
    // Phones, watches and widgets; the first four under the names that the companion gives them.
    case stuckQueueUntilNextEnqueueOrRestart, missedReachabilityCallback, reachableButTimingOut
    case replyTooLate, reboot, snapshotDamaged, snapshotOfAnotherHome, snapshotPutBack
    case silentProvider
    // These have scenarios of their own.
    case clockLeap, emptyBattery, lostBatches, failedOpening
    // The store behind a mailbox.
    case mailLate, mailLost, mailReturned, mailCut, mailStrange, mailRefused, mailFull
    case mailForgotten, mailUnanswered, mailSpoiled
    // Its word that there is news.
    case mailUnsaid, mailSaidTwice, mailCried

    /// The faults of fleets of replicas; the rest is of scenarios about single devices, or about
    /// that one fault.
    package static let ofFleets: [FaultKind] = allCases.filter { kind in
        ![
            .stuckQueueUntilNextEnqueueOrRestart, .missedReachabilityCallback,
            .reachableButTimingOut, .replyTooLate, .reboot, .snapshotDamaged,
            .snapshotOfAnotherHome, .snapshotPutBack, .silentProvider, .clockLeap, .emptyBattery,
            .lostBatches, .failedOpening,
        ].contains(kind) && !ofMailboxes.contains(kind)
    }

    /// The faults of the store behind a mailbox.
    package static let ofMailboxes: [FaultKind] = [
        .mailLate, .mailLost, .mailReturned, .mailCut, .mailStrange, .mailRefused, .mailFull,
        .mailForgotten, .mailUnanswered, .mailSpoiled, .mailUnsaid, .mailSaidTwice, .mailCried,
    ]

    /// Kinds of deeds of two people on one record at once.
    static let encounters: [FaultKind] = [
        .restoration, .typing, .recount, .sameOccurrence, .collision, .move, .membership,
    ]

    /// The kind in a sentence.
    package var sentence: String {
        switch self {
        case .partition: "Two groups of devices cannot reach each other for a while."
        case .oneWayPartition: "Bytes cross in one direction only."
        case .bridgePartition: "One device reaches everybody, and the others only that one."
        case .clog: "A pair's bytes are held back and let go later."
        case .slowLink: "A link takes seconds for each message."
        case .drip: "Bytes arrive in small pieces, cut anywhere."
        case .reorder: "Two messages of a link change places."
        case .duplicate: "A message of a link arrives twice."
        case .drop: "A message of a link never arrives."
        case .truncate: "A link ends in the middle of a message."
        case .bitFlip: "One bit of a message is changed."
        case .replay: "Bytes of an old link, up to years old, are sent again on a new one."
        case .flapping: "A pair connects and disconnects again and again."
        case .halfOpen: "One end of a link is gone and the other is not told."
        case .garbage: "A stranger connects and sends random bytes."
        case .skewSeconds: "A clock is wrong by seconds to hours."
        case .skewYears: "A clock is wrong by years, up to ten."
        case .drift: "A clock gains or loses up to a minute a day."
        case .stepForward: "A clock jumps ahead."
        case .stepBack: "A clock jumps back."
        case .frozenClock: "A wall clock stands still."
        case .crashAtEffect: "A process dies between two effects."
        case .crashAtDiskCall: "Power fails, or the process dies, at the n-th call to the disk."
        case .processKill: "A process is killed."
        case .powerCut: "Power fails: what was not synced is partly lost."
        case .restartStorm: "A process dies again and again, soon after each start."
        case .suspension: "A device sleeps for up to months."
        case .lostWrites: "An arbitrary part of what was not synced is lost."
        case .tornWrite: "A write that was not synced survives up to a byte in its middle."
        case .syncFailure: "A sync fails once."
        case .writeError: "A write fails once."
        case .readError: "A read fails once."
        case .diskFull: "The disk is full for a while."
        case .bitRot: "A bit of a stored batch or row changes on the disk."
        case .restoreWithWitness: "A home is restored from a backup; its witness is newer."
        case .restoreWithoutWitness: "A home is restored from a backup without its witness."
        case .rollback: "A whole machine goes back to an earlier state, witness and all."
        case .cloneWithWitness: "A copy of a home runs beside it and cannot know."
        case .cloneWithoutWitness: "A copy of a home runs beside it on another machine."
        case .lateJoiner: "A device joins the group in the middle of everything."
        case .wrongCode: "A person mistypes the pairing code."
        case .ticketPairing: "A device joins by ticket."
        case .olderVersion: "A device runs an older version of the application."
        case .upgrade: "A device gets the newer version of the application."
        case .downgrade: "A device goes back to the older version of the application."
        case .relaxedWrite: "A write returns before it is durable."
        case .intentRetry: "A write is tried again with the same intent."
        case .bigCommit: "A commit needs several batches."
        case .importInParts: "Thousands of records arrive in one commit."
        case .editRace: "Two devices change the same field, not knowing of each other."
        case .deleteRace: "One device deletes what another edits."
        case .recreation: "A deleted record is written again."
        case .yearOffline: "A device meets nobody for a year."
        case .restoration: "A deleted record is brought back while somebody else changes it."
        case .typing: "Two devices type into one text, forward, backward and over each other."
        case .recount: "Somebody counts anew while elsewhere something is taken."
        case .sameOccurrence: "Two devices note the same occurrence under one key."
        case .collision: "Two devices write a record of a log under one name."
        case .move: "Two devices move one element."
        case .membership: "One device adds an element that the other removes."
        case .stuckQueueUntilNextEnqueueOrRestart:
            "Queued user infos stay until the next one is queued or the app restarts."
        case .missedReachabilityCallback: "A change of reachability is not told."
        case .reachableButTimingOut: "Messages are lost while the counterpart seems reachable."
        case .replyTooLate: "Replies leave only after the asker has given up."
        case .reboot: "A device restarts and stays locked until somebody unlocks it."
        case .snapshotDamaged: "Bytes of a widget's snapshot change or are missing."
        case .snapshotOfAnotherHome: "A widget finds the snapshot of another home."
        case .snapshotPutBack: "A widget finds an older snapshot in place of the newest."
        case .silentProvider: "A widget's process does not answer."
        case .clockLeap: "A clock jumps ahead by months to years and comes back."
        case .emptyBattery: "A clock falls back by years, to 1970 at worst, and comes back."
        case .lostBatches: "Rows of a device's own batches are gone or changed on its disk."
        case .failedOpening: "Reads fail, once or some in a row, while a home is opened."
        case .mailLate: "A store does not show for a while what was put."
        case .mailLost: "A store loses an object."
        case .mailReturned: "A store brings back what was deleted or lost."
        case .mailCut: "A store gives an object cut short, or with another bit."
        case .mailStrange: "A store lists names twice, and names of none of our objects."
        case .mailRefused: "A store refuses everything for an hour."
        case .mailFull: "A store has no room."
        case .mailForgotten: "A store goes back to an earlier state."
        case .mailUnanswered: "An answer of a store does not come, whatever was done."
        case .mailSpoiled: "A store keeps an object cut short, or with another bit, for good."
        case .mailUnsaid: "A store that tells of news does not tell a device of some."
        case .mailSaidTwice: "A store tells a device of the same news twice."
        case .mailCried: "A store tells a device of news, and there is none."
        }
    }
}
