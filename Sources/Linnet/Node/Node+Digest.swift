import LinnetReplication
import LinnetWire

extension Node {
    /// The records that are read in one step, between which the node does everything else.
    private static var recordsAtOnce: Int { 512 }
    /// The number of times that the reading begins anew because records changed meanwhile.
    private static var digestTries: Int { 3 }

    /// Gives `use` the digest of what shows, at a moment at which that is what shows.
    ///
    /// The records are read in steps. Where they change again and again meanwhile, they are read in
    /// one go in the end.
    func withVisibleDigest<Result>(
        _ use: (Bytes32) throws(LinnetError) -> Result
    ) async throws(LinnetError) -> Result {
        for _ in 0..<Self.digestTries {
            let count = observers.changeCount
            let work = DigestWork(schema)
            while observers.changeCount == count {
                let digest = try reading { (replica) throws(ReplicaError) in
                    try work.step(replica.reader, atMost: Self.recordsAtOnce)
                }
                if let digest { return try use(digest) }
                await Task.yield()
            }
        }
        return try use(
            try reading { (replica) throws(ReplicaError) in try replica.reader.digest() })
    }
}
