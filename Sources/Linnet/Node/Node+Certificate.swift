import LinnetReplication
import LinnetWire

extension Node {
    /// Signs what this device holds and shows now. Reads every record.
    public func certificate() throws(LinnetError) -> ConvergenceCertificate {
        try running()
        // What is not durable is not held.
        if flushDeadline != nil { flush() }
        let now = SystemClock.now()
        return certificate(
            try reading { (replica) throws(ReplicaError) in
                try replica.holdingStatement(at: now)
            })
    }

    /// Checks the signature of a certificate, its group, and that a member of the group signed it;
    /// needs no network. Throws ``LinnetError/badCertificate`` when it proves nothing.
    public func certificate(reading bytes: [UInt8]) throws(LinnetError) -> ConvergenceCertificate {
        guard let statement = HoldingStatement(decoding: bytes) else { throw .badCertificate }
        let isAccepted = try reading { (replica) throws(ReplicaError) in
            replica.accepts(statement)
        }
        guard isAccepted else { throw .badCertificate }
        return certificate(statement)
    }

    private func certificate(_ statement: HoldingStatement) -> ConvergenceCertificate {
        ConvergenceCertificate(
            device: named(statement.device), signedMilliseconds: statement.wallMilliseconds,
            vectorDigest: statement.vector.description,
            visibleDigest: statement.visible.description, bytes: statement.encoded)
    }
}
