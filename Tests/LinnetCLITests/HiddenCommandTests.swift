import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import LinnetCRDT
import LinnetCrypto
import LinnetMedication
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

/// Commands whose write stands behind a value that no stamp can pass, and what they say of it.
@Suite(.timeLimit(.minutes(15)))
struct HiddenCommandTests {
    private func keys(of device: TestDevice) throws -> DeviceKeys {
        try KeyFile.decode(try FileText.read("\(device.home)/key"), passphrase: nil)
    }

    /// Writes a field so often in the last millisecond there is that its stamp is the largest.
    private func climb(
        _ device: TestDevice, _ collection: UInt32, _ id: String, _ write: FieldWrite
    ) throws {
        let keys = try keys(of: device)
        var entropy = Entropy(seed: SystemEntropy.seed())
        let store = try SQLiteStore(
            path: "\(device.home)/store.sqlite", databaseKey: keys.databaseKey,
            noncePrefix: entropy.bytes(16))
        let now = Moment(wallMilliseconds: 1_800_000_000_000, uptimeMilliseconds: 1_000)
        let end = Moment(wallMilliseconds: .max, uptimeMilliseconds: 1_000)
        var replica = try Replica.open(
            store: store, keys: keys, schema: .demonstration, entropy: entropy, witness: .missing,
            at: now)
        let record = RecordKey(collection: collection, record: try #require(RecordID(id)))
        let changes = [Change](repeating: .set(write), count: 65_600)
        _ = try replica.commit([Write(record, changes)], at: end)
        try replica.close()
    }

    /// Runs a command until its write does not show. At the largest stamp the greater author wins,
    /// so each life of the device wins or loses by its name; without a witness a new one begins.
    private func hidden(
        _ device: TestDevice, _ words: (Int) -> [String]
    ) throws -> (outcome: TestDevice.Outcome, shown: Int) {
        var shown = 0
        for number in 1...40 {
            let outcome = try device.run(words(number))
            if outcome.code == 4 { return (outcome, shown) }
            #expect(outcome.code == 0, "\(outcome.error)")
            shown = number
            unsafe _ = unlink("\(device.home)/witness")
        }
        throw TestDevice.Never()
    }

    @Test func `a name that does not show ends rename with 4, and says why`() throws {
        let device = try TestDevice.founder("Name 0")
        let id = try keys(of: device).device.description
        try climb(device, 1, id, FieldWrite(1, .text("Name 0")))
        let (outcome, shown) = try hidden(device) { ["rename", "Name \($0)"] }
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("name: it was written but does not show"))
        #expect(outcome.error.contains("which no write passes"), "\(outcome.error)")
        let listed = try device.run("list", "devices").output
        #expect(listed.contains("Name \(shown)") && !listed.contains("Name \(shown + 1)"))
    }

    @Test func `a medicine's change that does not show ends med with 4, and says why`() throws {
        let device = try TestDevice.founder()
        let added = try device.run(
            "med", "add", "Metformin", "--amount", "500", "--unit", "mg", "--route", "oral")
        #expect(added.code == 0, "\(added.error)")
        let listed = try #require(try device.run("med", "list", "--json").objects().first)
        let id = try #require(listed["medication"]?.string)
        try climb(device, 1_000, id, FieldWrite(2, .text("Generic 0")))
        let (outcome, shown) = try hidden(device) {
            ["med", "edit", "Metformin", "--generic", "Generic \($0)"]
        }
        #expect(outcome.output.isEmpty)
        #expect(outcome.error.contains("genericName: it was written but does not show"))
        let record = try device.run("med", "show", "Metformin").output
        #expect(record.contains("Generic \(shown)") && !record.contains("Generic \(shown + 1)"))
    }
}

extension TestDevice {
    /// Something did not come about that had to.
    struct Never: Error {}
}
