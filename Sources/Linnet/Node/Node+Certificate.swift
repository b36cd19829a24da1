import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Signs a certificate of what this device holds and shows now. Reads what changed
    /// since the last digest was made, in steps; writes and sessions go on in between.
    public func certificate() async throws(LinnetError) -> ConvergenceCertificate {
        try await withVisibleDigest(isWhole: false) { (digest) throws(LinnetError) in
            try running()
            // A change that is not durable does not count as held.
            if upkeep.hasRelaxedWrites { flush() }
            let now = SystemClock.now()
            return certificate(
                try reading { (replica) throws(ReplicaError) in
                    try replica.holdingStatement(.tree, digest, at: now)
                })
        }
    }

    /// Checks the signature of a certificate, its group, and that a member of the group signed it;
    /// needs no network. Throws ``LinnetError/badCertificate`` when it proves nothing.
    public func certificate(reading bytes: [UInt8]) throws(LinnetError) -> ConvergenceCertificate {
        guard let statement = HoldingStatement(decoding: bytes) else { throw .badCertificate }
        let isAccepted = try reading { (replica) throws(ReplicaError) in
            replica.reading.accepts(statement)
        }
        guard isAccepted else { throw .badCertificate }
        return certificate(statement)
    }

    /// Connects to peers as ``sync(with:timeout:)`` does, and lets this device and every device
    /// that is reached sign for each other what they hold; both keep it.
    ///
    /// Returns the newest agreement with every device, as ``agreements()`` does. A device of an
    /// older version signs nothing.
    @discardableResult
    public func exchangeCertificates(
        with peers: [String] = [], timeout: Duration = .seconds(30)
    ) async throws(LinnetError) -> [ConvergenceAgreement] {
        let deadline = SystemClock.now().uptimeMilliseconds + timeout.wholeMilliseconds
        while true {
            let left = max(0, deadline - SystemClock.now().uptimeMilliseconds)
            _ = try await synchronise(with: peers, timeout: .milliseconds(left))
            let asked = try await askForStatements(until: deadline)
            let agreements = try agreements()
            let hasAnswer = agreements.contains { asked.contains($0.theirs.device.id) }
            // A device that nobody could ask, because it is of an older version, keeps its
            // connection.
            if hasAnswer || (asked.isEmpty && !connections.links.devices.isEmpty) {
                return agreements
            }
            // The connection ended before the answer came; that happens to one of two that began
            // together.
        }
    }

    /// Asks every connected device and waits for their answers; returns the devices that it asked.
    private func askForStatements(until deadline: Int64) async throws(LinnetError) -> [String] {
        do throws(ReplicaError) {
            perform(try replica?.exchangeStatements(at: SystemClock.now()) ?? [])
        } catch {
            throw failed(error)
        }
        let asked = (replica?.devicesAwaited ?? []).map(\.description)
        let result = await withCheckedContinuation { continuation in
            exchanges.certification.wait(until: deadline, continuation)
            settle()
        }
        try result.get()
        return asked
    }

    /// Returns the newest certificates that this device and each other one signed for each other,
    /// by device; needs no network.
    public func agreements() throws(LinnetError) -> [ConvergenceAgreement] {
        try reading { (replica) throws(ReplicaError) in try replica.reading.statementPairs() }.map {
            ConvergenceAgreement(own: certificate($0.own), theirs: certificate($0.theirs))
        }
    }

    private func certificate(_ statement: HoldingStatement) -> ConvergenceCertificate {
        ConvergenceCertificate(
            device: named(statement.device), signedMilliseconds: statement.wallMilliseconds,
            vectorDigest: statement.vector.description,
            visibleDigest: statement.visible.description, bytes: statement.encoded)
    }
}
