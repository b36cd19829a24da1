import LinnetCrypto
import LinnetDiscovery
import LinnetWire

/// TXT records that anybody on the network may announce.
func fuzz(_ input: [UInt8]) {
    _ = TXTRecord.isPairing(heard: input)
    guard let record = TXTRecord(heard: input) else { return }
    require(record.tags.count == TXTRecord.tagCount, "a record has all its tags")
    require(TXTRecord(heard: record.encoded) == record, "a record reads back")
}

func seeds() -> [[UInt8]] {
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    let record = TXTRecord(tags: [.zero], hour: 498_682, entropy: &entropy)
    return [record.encoded, TXTRecord.pairing]
}
