import LinnetCrypto
import LinnetMembership
import LinnetReplication

@testable import Linnet

/// The files beside a home's database: as they come, and with a check value that holds, so that it
/// does not keep the fuzzer out.
func fuzz(_ input: [UInt8]) {
    for file in [input, checked(input)] {
        let isLocked = try? KeyFile.needsPassphrase(file)
        if let keys = try? KeyFile.decode(file, passphrase: nil) {
            require(isLocked == false, "a file without passphrase opens without one")
            require(keys.certificate.createdMilliseconds >= 0, "a certificate has a time")
        }
    }
    for size in [input.count, 1_000_000, .max] {
        if let head = try? BackupFile.Head(input, size: size) {
            require(head.totalBytes == size, "a backup is as long as its head says")
            require(head.encoded.starts(with: input.prefix(32)), "a head reads back")
        }
    }
    if let record = Witness.Record(input) {
        require(record.encoded == input, "a witness has one form")
    }
}

private func checked(_ input: [UInt8]) -> [UInt8] { input + Hash.blake2b(.check, input) }

func seeds() -> [[UInt8]] {
    var entropy = Entropy(seed: SecretBytes(zeroed: 32))
    let keys = DeviceKeys(createdMilliseconds: 7, entropy: &entropy)
    let file = (try? KeyFile.encode(keys, passphrase: nil, entropy: &entropy)) ?? []
    let head = BackupFile.Head(
        keyBytes: KeyFile.byteCount, databaseBytes: 8_192, createdMilliseconds: 7)
    return [file, Array(file.dropLast(32)), head.encoded]
}
