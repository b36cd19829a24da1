package import LinnetReplication
package import LinnetWire

/// A response of a node to a command.
package enum ControlResponse: Equatable, Sendable {
    /// The request is done; nothing follows.
    case done
    /// The request was not carried out; nothing follows.
    case failed(ControlFailure)
    /// The device and the program that answer.
    case identity(ControlIdentity)
    /// The writes are durable.
    case receipt(ControlReceipt)
    /// Some of the records that were asked for, in order.
    case records([ControlRecord])
    /// The place at which the next page of the query begins.
    case next(String)
    /// The plan of a query: what it reads.
    case plan(QueryPlan)
    /// The number of records.
    case count(UInt64)
    /// Deleted records, in order of their identifiers.
    case trash([ControlTrash])
    /// The changes of a record, newest first.
    case history([HistoryEntry])
    /// The explanation of a field's value.
    case explanation(Explanation)
    /// Records that look different now.
    case changed([ControlChanged])
    /// A signed statement of what a device holds.
    case certificate(ConvergenceCertificate)
    /// The certificates that this device and others signed for each other, by device.
    case agreements([ConvergenceAgreement])
    /// The scopes that this device holds.
    case scopes(ControlScopes)
    /// The state of the group.
    case status(ControlStatus)
    /// The digest and the version vector of this device.
    case digest(ControlDigest)
    /// The collections, as a schema file.
    case schema(String)
    /// A step of a pairing.
    case pairing(ControlPairing)
    /// This device and these others hold the same.
    case synced(devices: [DeviceID])
    /// The progress of long work: bytes of a copy, records that are read, hundredths of the batches
    /// of an exchange or of the changes of a commit.
    case progress(done: UInt64, total: UInt64)
    /// The number of records in the answer, among those that were read so far.
    case found(UInt64)
    /// The findings of a look at the device.
    case findings([HealthFinding])
    /// Warnings that a request asked for.
    case warnings([ControlWarning])
    /// An event on the companion lanes, as one JSON object.
    case companion(String)
}

/// The reason why a request was not carried out.
package struct ControlFailure: Error, Equatable, Sendable {
    /// The kind of a failure, which decides the command's exit code.
    package enum Kind: UInt8, Sendable {
        /// The request was refused or failed; nothing was changed.
        case failed = 1
        /// The request was wrong.
        case usage = 2
        /// No device was reached, or none answered in time.
        case unreachable = 3
        /// The change was written and does not show, or cannot be written any more.
        case hidden = 4
        /// Everything was so already: nothing was written.
        case unchanged = 5
    }

    /// The kind of the failure.
    package var kind: Kind
    /// A text for a person that says what is wrong and what to do next.
    package var message: String
    /// The error that the library threw, where that was in this process.
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

/// The device and the program that answer requests.
package struct ControlIdentity: Equatable, Sendable {
    /// The version of the program.
    package var version: String
    /// The id of the process.
    package var processID: UInt32
    /// The device.
    package var device: DeviceID
    /// The words of the device's fingerprint.
    package var fingerprint: [String]
    /// The device's name; empty when none is set.
    package var name: String
    /// The device's kind; empty when none is set.
    package var kind: String
    /// The group, when the device is in one.
    package var group: GroupID?
    /// The port at which the device listens; nil when it does not.
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

/// The receipt of writes.
package struct ControlReceipt: Equatable, Sendable {
    /// The identifier of the commit.
    package var commit: CommitID
    /// The number of its batches.
    package var batches: UInt64
    /// The number of its operations.
    package var operations: UInt64
    /// True when the intent had been carried out before, so that nothing was done now.
    package var repeated: Bool
    /// The outcome: whether the writes show.
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

/// The digest and the version vector of a device.
package struct ControlDigest: Equatable, Sendable {
    /// One chain of the vector.
    package struct Entry: Equatable, Sendable {
        /// The scope.
        package var scope: ScopeID
        /// The device that wrote the chain.
        package var device: DeviceID
        /// The incarnation of that device.
        package var incarnation: Incarnation
        /// The sequence number of the last batch.
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
    /// The version vector, a chain an entry.
    package var vector: [Entry]

    /// Joins the facts.
    package init(digest: Bytes32, vector: [Entry]) {
        self.digest = digest
        self.vector = vector
    }
}
