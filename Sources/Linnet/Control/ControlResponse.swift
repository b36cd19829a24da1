package import LinnetReplication
package import LinnetWire

/// What a node answers to a command.
package enum ControlResponse: Equatable, Sendable {
    /// The request is done; nothing follows.
    case done
    /// The request was not done; nothing follows.
    case failed(ControlFailure)
    /// Who answers.
    case identity(ControlIdentity)
    /// The writes are durable.
    case receipt(ControlReceipt)
    /// Some of the records asked for, in order.
    case records([ControlRecord])
    /// Where the page of the query begins that follows its last record.
    case next(String)
    /// What a query reads.
    case plan(QueryPlan)
    /// How many records there are.
    case count(UInt64)
    /// Deleted records, in order of their identifiers.
    case trash([ControlTrash])
    /// What happened to a record, newest first.
    case history([HistoryEntry])
    /// Why a field shows what it shows.
    case explanation(Explanation)
    /// Records that look different now.
    case changed([ControlChanged])
    /// A signed statement of what a device holds.
    case certificate(ConvergenceCertificate)
    /// What this device and others signed for each other, by device.
    case agreements([ConvergenceAgreement])
    /// Which scopes this device holds.
    case scopes(ControlScopes)
    /// The state of the group.
    case status(ControlStatus)
    /// What this device holds.
    case digest(ControlDigest)
    /// The collections, as a schema file.
    case schema(String)
    /// How a pairing goes.
    case pairing(ControlPairing)
    /// This device and these others hold the same.
    case synced(devices: [DeviceID])
    /// How far long work is: bytes of a copy, records that are read, hundredths of the batches of
    /// an exchange or of the changes of a commit.
    case progress(done: UInt64, total: UInt64)
    /// How many of the records that were read so far are in the answer.
    case found(UInt64)
    /// What a look at the device found.
    case findings([HealthFinding])
    /// Warnings that a request asked for.
    case warnings([ControlWarning])
    /// What happens on the companion lanes, as one JSON object.
    case companion(String)
}

/// Why a request was not done.
package struct ControlFailure: Error, Equatable, Sendable {
    /// What kind of failure it is, which decides the command's exit code.
    package enum Kind: UInt8, Sendable {
        /// It was refused or went wrong; nothing was changed.
        case failed = 1
        /// It was asked for wrongly.
        case usage = 2
        /// Nobody was reached, or nobody answered in time.
        case unreachable = 3
        /// It was written and does not show, or cannot be written any more.
        case hidden = 4
        /// Everything was so already: nothing was written.
        case unchanged = 5
    }

    /// The kind.
    package var kind: Kind
    /// What went wrong and what to do next, for a person.
    package var message: String
    /// What the library threw, where that was in this process.
    let cause: LinnetError?

    /// Joins kind and message.
    package init(_ kind: Kind, _ message: String) {
        self.init(kind, message, cause: nil)
    }

    init(_ kind: Kind, _ message: String, cause: LinnetError?) {
        self.kind = kind
        self.message = message
        self.cause = cause
    }
}

/// Who answers requests.
package struct ControlIdentity: Equatable, Sendable {
    /// The version of the program.
    package var version: String
    /// Its process id.
    package var processID: UInt32
    /// The device.
    package var device: DeviceID
    /// Its fingerprint words.
    package var fingerprint: [String]
    /// The device's name; empty when none is set.
    package var name: String
    /// The device's kind; empty when none is set.
    package var kind: String
    /// The group, when the device is in one.
    package var group: GroupID?
    /// The port that it listens at, when it does.
    package var port: UInt16?

    /// Joins the facts.
    package init(
        version: String, processID: UInt32, device: DeviceID, fingerprint: [String], name: String,
        kind: String, group: GroupID?, port: UInt16?
    ) {
        self.version = version
        self.processID = processID
        self.device = device
        self.fingerprint = fingerprint
        self.name = name
        self.kind = kind
        self.group = group
        self.port = port
    }
}

/// What became of writes.
package struct ControlReceipt: Equatable, Sendable {
    /// The commit.
    package var commit: CommitID
    /// In how many batches it is.
    package var batches: UInt64
    /// How many operations it has.
    package var operations: UInt64
    /// Whether the intent had been performed before, and nothing was done now.
    package var repeated: Bool
    /// Whether what was written shows.
    package var outcome: WriteOutcome

    /// Joins the facts.
    package init(
        commit: CommitID, batches: UInt64, operations: UInt64, repeated: Bool,
        outcome: WriteOutcome
    ) {
        self.commit = commit
        self.batches = batches
        self.operations = operations
        self.repeated = repeated
        self.outcome = outcome
    }

    init(_ receipt: CommitReceipt, in schema: Schema) {
        self.init(
            commit: receipt.commit, batches: UInt64(receipt.batches),
            operations: UInt64(receipt.operations), repeated: receipt.repeated,
            outcome: WriteOutcome(receipt, in: schema))
    }
}

/// What a device holds.
package struct ControlDigest: Equatable, Sendable {
    /// One chain of the vector.
    package struct Entry: Equatable, Sendable {
        /// The scope.
        package var scope: ScopeID
        /// The device that wrote the chain.
        package var device: DeviceID
        /// The incarnation of that device.
        package var incarnation: Incarnation
        /// The number of the last batch.
        package var sequence: UInt64
        /// The identifier of the last batch.
        package var head: BatchID

        /// Joins the facts.
        package init(
            scope: ScopeID, device: DeviceID, incarnation: Incarnation, sequence: UInt64,
            head: BatchID
        ) {
            self.scope = scope
            self.device = device
            self.incarnation = incarnation
            self.sequence = sequence
            self.head = head
        }
    }

    /// The digest of the visible state.
    package var digest: Bytes32
    /// The vector.
    package var vector: [Entry]

    /// Joins the facts.
    package init(digest: Bytes32, vector: [Entry]) {
        self.digest = digest
        self.vector = vector
    }
}
