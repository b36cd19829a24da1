extension Scenario {
    /// Every scenario of the command line, by name.
    package static let all: [Scenario] = [
        mixed, calm, network, disks, clocks, identity, versions, importing, offline, large, model,
        household, extremes, twins, branches, relays, leaps, openings, losses, medication, travel,
        companion, widget, saboteur, membership,
        mailbox, onlyMailbox, lyingMailbox, countedMailbox,
        compaction, attachments, editors, canary,
    ]

    /// The scenario of a name.
    package static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }

    /// Everything at once, a different part of it for each seed.
    package static let mixed = Scenario(
        name: "mixed", sentence: "Everything that can go wrong, a different part for each seed.")

    private static let calm = make("calm", "Nothing goes wrong.") { $0.faults = [] }

    private static let network = make("network", "Only the network misbehaves.") {
        $0.faults = [
            .partition, .oneWayPartition, .bridgePartition, .clog, .slowLink, .drip, .reorder,
            .duplicate, .drop, .truncate, .bitFlip, .replay, .flapping, .halfOpen, .garbage,
        ]
    }

    private static let disks = make("disks", "Disks fail, and processes die at every point.") {
        $0.faults = [
            .crashAtEffect, .crashAtDiskCall, .processKill, .powerCut, .restartStorm, .lostWrites,
            .tornWrite, .syncFailure, .writeError, .readError, .diskFull, .bitRot, .relaxedWrite,
            .intentRetry, .bigCommit,
        ]
    }

    private static let clocks = make("clocks", "Clocks are wrong in every way.") {
        $0.faults = [
            .skewSeconds, .skewYears, .drift, .stepForward, .stepBack, .frozenClock, .suspension,
            .editRace, .deleteRace, .recreation, .processKill,
        ]
    }

    private static let identity = make(
        "identity", "Homes are restored, rolled back and copied, and authors fork."
    ) {
        $0.faults = [
            .restoreWithWitness, .restoreWithoutWitness, .rollback, .cloneWithWitness,
            .cloneWithoutWitness, .lateJoiner, .wrongCode, .ticketPairing, .processKill, .powerCut,
            .relaxedWrite, .partition, .bigCommit,
        ]
    }

    private static let versions = make(
        "versions", "Old and new versions of the application meet."
    ) {
        $0.faults = [
            .olderVersion, .upgrade, .downgrade, .processKill, .crashAtDiskCall, .editRace,
            .deleteRace, .bigCommit,
        ]
    }

    private static let importing = make(
        "import", "Ten thousand records arrive in one commit of many parts."
    ) {
        $0.importRecords = 10_000
        $0.days = 2...4
        $0.faults = [
            .crashAtDiskCall, .processKill, .powerCut, .partition, .truncate, .slowLink, .diskFull,
        ]
    }

    private static let offline = make("offline", "A device is away for a year and comes back.") {
        $0.days = 380...400
        $0.commitsPerDay = 1...3
        $0.meetingsPerDay = 1...4
        $0.faults = [
            .yearOffline, .suspension, .replay, .skewYears, .drift, .upgrade, .olderVersion,
            .rollback,
        ]
    }

    private static let large = make("large", "Up to sixteen devices for a week.") {
        $0.devices = 9...16
        $0.days = 3...7
        $0.meetingsPerDay = 40...80
    }

    private static let model = make("model", "As mixed, over a model of the store, for speed.") {
        $0.store = .model
    }

    /// The fleet on which speed is measured: four devices, twelve commits and twenty-four meetings
    /// a day.
    package static let household = make("household", "A quiet household of four, for measuring.") {
        $0.devices = 4...4
        $0.days = 365...365
        $0.commitsPerDay = 12...12
        $0.meetingsPerDay = 24...24
        $0.hasLongMeetings = false
        $0.faults = []
        $0.usesRealCrypto = false
        $0.workload = HouseholdWorkload(hasAllKinds: false)
    }

    private static let extremes = make(
        "extremes", "Values of which the largest or the smallest wins, in old and new versions."
    ) {
        $0.workload = ExtremeWorkload()
        // People of this scenario do nothing of the kind.
        let encounters: [FaultKind] = [
            .restoration, .typing, .recount, .sameOccurrence, .collision, .move, .membership,
        ]
        $0.faults.removeAll { encounters.contains($0) }
    }

    private static let twins = make(
        "twins", "Disk images are put back, two lives go on, and others write about both."
    ) {
        $0.hasTwins = true
        $0.devices = 3...5
        $0.days = 2...6
        $0.commitsPerDay = 2...8
        $0.meetingsPerDay = 1...6
        $0.faults = [
            .rollback, .cloneWithWitness, .partition, .clog, .slowLink, .processKill,
            .relaxedWrite, .bigCommit,
        ]
    }

    private static let branches = make(
        "branches", "Two lives of a home write where others leave and come back."
    ) {
        $0.hasTwins = true
        $0.forksWhatIsLeft = true
        $0.devices = 3...4
        $0.days = 1...2
        $0.commitsPerDay = 2...6
        $0.meetingsPerDay = 1...6
        $0.faults = [.rollback, .cloneWithWitness, .processKill, .relaxedWrite]
    }

    private static let relays = make(
        "relays", "Devices hear of others through one that they stay connected with."
    ) {
        $0.hasRelay = true
        $0.devices = 3...5
        $0.days = 1...3
        $0.faults = [.slowLink, .drip, .relaxedWrite, .bigCommit, .processKill]
    }

    private static let leaps = make(
        "leaps", "Clocks jump ahead by years or fall back to 1970, and come back."
    ) {
        $0.certain = [.clockLeap, .emptyBattery]
        $0.days = 3...10
        $0.faults = [
            .clockLeap, .emptyBattery, .skewSeconds, .drift, .suspension, .processKill,
            .relaxedWrite, .editRace, .deleteRace,
        ]
    }

    private static let openings = make(
        "openings", "Reads fail while homes are opened, once or for a while."
    ) {
        $0.certain = [.failedOpening, .bigCommit]
        $0.devices = 2...3
        $0.days = 2...6
        $0.faults = [
            .failedOpening, .bigCommit, .processKill, .powerCut, .lostWrites, .tornWrite,
            .readError, .relaxedWrite, .intentRetry,
        ]
    }

    private static let losses = make(
        "losses", "Disks lose batches that their device wrote and mostly nobody else has."
    ) {
        $0.certain = [.lostBatches]
        $0.devices = 2...4
        $0.days = 3...8
        $0.faults = [
            .lostBatches, .bitRot, .processKill, .powerCut, .relaxedWrite, .intentRetry,
            .bigCommit, .deleteRace, .restoration, .typing, .recount, .membership, .partition,
        ]
    }

    private static let medication = make(
        "medication", "Medication days: doses are taken, put off and taken back on many devices."
    ) {
        $0.faults = medicationFaults
        $0.days = 3...10
        $0.workload = MedicationWorkload()
    }

    private static let travel = make(
        "travel", "People fly, and decide on one or two devices how their schedules go on."
    ) {
        $0.faults = medicationFaults
        $0.days = 4...14
        $0.meetingsPerDay = 2...24
        $0.workload = MedicationWorkload(travels: true)
    }

    private static let medicationFaults: [FaultKind] = [
        .partition, .oneWayPartition, .clog, .slowLink, .reorder, .duplicate, .drop, .truncate,
        .crashAtEffect, .crashAtDiskCall, .processKill, .powerCut, .lostWrites, .tornWrite,
        .restartStorm, .suspension, .lateJoiner,
    ]

    private static let companion = make(
        "companion", "A phone and its watch: lanes, budgets, restarts, a platform's defects."
    ) {
        $0.isAboutLanes = true
        $0.days = 2...6
        $0.faults = [
            .stuckQueueUntilNextEnqueueOrRestart, .missedReachabilityCallback,
            .reachableButTimingOut, .replyTooLate, .reboot, .processKill, .crashAtEffect,
            .duplicate,
        ]
    }

    private static let widget = make(
        "widget", "Medication days, and what widgets say of them with little to go by."
    ) {
        $0.hasWidgets = true
        $0.devices = 2...3
        $0.days = 2...3
        $0.faults =
            medicationFaults + [
                .reboot, .snapshotDamaged, .snapshotOfAnotherHome, .snapshotPutBack,
                .silentProvider,
            ]
        $0.workload = MedicationWorkload()
    }

    private static let saboteur = make(
        "saboteur", "One device of the fleet says whatever it can sign."
    ) {
        $0.hasSaboteur = true
        $0.devices = 3...5
        $0.days = 1...3
        $0.faults = [.processKill, .powerCut]
    }

    private static let membership = make(
        "membership", "People admit, remove, lose, find and restore devices, some of which lie."
    ) {
        $0.isAboutMembers = true
        $0.devices = 3...6
        $0.days = 1...3
        $0.faults = [.processKill, .powerCut, .restoreWithWitness, .restoreWithoutWitness]
    }

    private static let mailbox = make(
        "mailbox", "Devices exchange through a store of files, and when they meet."
    ) {
        $0.mailbox = .beside
        $0.devices = 2...4
        $0.days = 1...4
        $0.meetingsPerDay = 0...4
        $0.faults = FaultKind.ofMailboxes + mailboxFaults
    }

    private static let onlyMailbox = make(
        "mailbox-only", "Devices that never meet exchange through a store of files."
    ) {
        $0.mailbox = .only
        $0.devices = 2...4
        $0.days = 1...3
        $0.faults = FaultKind.ofMailboxes + mailboxFaults
    }

    private static let lyingMailbox = make(
        "mailbox-lies", "The store of devices that never meet forgets and brings back."
    ) {
        $0.mailbox = .only
        $0.devices = 2...4
        $0.days = 1...3
        $0.certain = [.mailLost, .mailReturned, .mailForgotten, .mailCut, .mailSpoiled]
        $0.faults = FaultKind.ofMailboxes + [.processKill, .powerCut, .relaxedWrite]
    }

    private static let compaction = make(
        "compaction", "Devices fold at any moment what everybody holds, and delete the batches."
    ) {
        $0.compacts = true
        $0.devices = 2...4
        $0.days = 1...6
        $0.faults = [
            .processKill, .powerCut, .crashAtEffect, .crashAtDiskCall, .lostWrites, .tornWrite,
            .syncFailure, .writeError, .diskFull, .restartStorm, .suspension, .relaxedWrite,
            .partition, .slowLink, .drip, .truncate, .drop, .bitFlip, .replay, .deleteRace,
            .editRace, .bigCommit, .importInParts, .intentRetry, .restoration, .typing, .recount,
            .sameOccurrence, .collision, .move, .lateJoiner,
        ]
    }

    private static let countedMailbox = make(
        "mailbox-days", "Three devices that never meet, and a sound store, whose requests count."
    ) {
        $0.mailbox = .counted
        $0.devices = 3...3
        $0.days = 14...14
        $0.commitsPerDay = 12...12
        $0.faults = []
        $0.usesRealCrypto = false
        $0.workload = HouseholdWorkload(hasAllKinds: false)
    }

    private static let mailboxFaults: [FaultKind] = [
        .processKill, .powerCut, .crashAtEffect, .suspension, .relaxedWrite, .bigCommit,
        .importInParts, .intentRetry, .lateJoiner, .restoreWithoutWitness, .rollback,
        .cloneWithWitness, .deleteRace, .editRace,
    ]

    private static let attachments = make(
        "attachments", "People attach files, which devices fetch by policy and when they are asked."
    ) {
        $0.isAboutFiles = true
        $0.devices = 2...4
        $0.days = 1...4
        $0.commitsPerDay = 3...8
        $0.faults = [
            .processKill, .powerCut, .crashAtEffect, .crashAtDiskCall, .lostWrites, .tornWrite,
            .syncFailure, .writeError, .diskFull, .restartStorm, .suspension, .relaxedWrite,
            .partition, .slowLink, .drip, .truncate, .drop, .bitFlip, .lateJoiner, .deleteRace,
            .editRace, .restoreWithWitness, .restoreWithoutWitness, .rollback, .cloneWithWitness,
        ]
        $0.workload = AlbumWorkload()
    }

    private static let editors = make(
        "editors", "People edit texts that they have open, as these were when they were shown."
    ) {
        $0.hasEditors = true
        $0.devices = 2...4
        $0.days = 1...4
        $0.faults = [
            .typing, .editRace, .deleteRace, .recreation, .restoration, .partition, .slowLink,
            .reorder, .duplicate, .drop, .processKill, .powerCut, .crashAtEffect, .suspension,
            .relaxedWrite, .bigCommit, .lateJoiner,
        ]
    }

    private static let canary = make(
        "canary", "Disks that lie about syncs: this scenario must fail."
    ) {
        $0.lyingDisks = true
        $0.faults = [.powerCut, .lostWrites, .tornWrite, .crashAtEffect]
        $0.days = 5...10
    }

    private static func make(
        _ name: String, _ sentence: String, _ change: (inout Scenario) -> Void
    ) -> Scenario {
        var scenario = Scenario(name: name, sentence: sentence)
        change(&scenario)
        return scenario
    }
}
