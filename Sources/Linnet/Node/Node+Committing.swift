import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

// These are the steps of a transaction that reads what it wrote.
extension Node {
    func firstReceipt(of intent: [UInt8]?) throws(LinnetError) -> CommitReceipt? {
        try reading { (replica) throws(ReplicaError) in try replica.firstReceipt(of: intent) }
    }

    func beginCommit(_ durability: WriteDurability) throws(LinnetError) {
        try writable()
        do throws(ReplicaError) {
            try replica?.beginCommit(
                durability == .durable ? .full : .relaxed, at: SystemClock.now())
        } catch {
            throw failed(error)
        }
    }

    func addToCommit(_ requests: [WriteRequest]) throws(LinnetError) {
        do throws(ReplicaError) {
            try replica?.add(requests)
        } catch {
            throw failed(error)
        }
    }

    func abandonCommit() throws(LinnetError) {
        do throws(ReplicaError) {
            try replica?.abandonCommit()
        } catch {
            throw failed(error)
        }
    }

    func endCommit(
        intent: [UInt8]?, _ durability: WriteDurability
    ) throws(LinnetError) -> CommitReceipt {
        let now = SystemClock.now()
        do {
            guard let (receipt, effects) = try replica?.endCommit(intent: intent, at: now) else {
                throw LinnetError.stopped
            }
            if durability == .relaxed { upkeep.wroteRelaxed(at: now) }
            perform(effects)
            return receipt
        } catch let error as ReplicaError {
            throw failed(error)
        } catch {
            throw .stopped
        }
    }
}
