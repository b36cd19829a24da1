import LinnetReplication
import LinnetStorage
import LinnetWire

/// I16: what a replica forwards is what the author signed.
extension Inspector {
    func checkForwarding(_ device: Int, _ replica: borrowing Replica) throws(Violation) {
        guard !views[device].hasRotted else { return }
        do {
            for row in views[device].rows where row.stored >= row.first {
                for seq in row.first...row.stored {
                    guard let sealed = try replica.sealedBytes(chain: row, seq: seq),
                        let id = try replica.storeForReading.batchID(chain: row.index, seq: seq),
                        let number = catalogue.number(id)
                    else { continue }
                    let bytes = sealed.header + sealed.ciphertext + sealed.signature
                    guard TraceHash.of(bytes) != catalogue.facts[number].sealed else { continue }
                    throw Violation(
                        .intactForwarding,
                        "batch \(describe(number)) is not stored as it was signed",
                        devices: [device])
                }
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.intactForwarding, "a batch cannot be read: \(error)")
        }
    }
}
