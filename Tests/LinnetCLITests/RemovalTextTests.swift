import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire
import Testing

/// Removals as a person and a program read them.
struct RemovalTextTests {
    private func device(_ digit: UInt8, _ name: String) -> ControlDevice {
        ControlDevice(id: DeviceID(repeating: digit).description, name: name)
    }

    private var removal: ControlRemoval {
        ControlRemoval(
            record: "aa", device: device(1, "Lost"), by: device(2, "Laptop"), role: "",
            reason: "lost", companions: [], stands: true,
            votes: ControlRemoval.Votes(
                supporters: [], opponents: [], uncountedSupporters: [], uncountedOpponents: [],
                silent: []), rivals: [], unheard: [],
            holders: [
                .init(device: device(2, "Laptop"), record: "0123456789", isSelf: false),
                .init(device: device(3, "Watch"), record: nil, isSelf: false),
                .init(device: device(4, "Tablet"), record: nil, isSelf: true),
            ], wipe: nil, isSelf: false)
    }

    @Test func `who holds a removal has signed it, said so in a session, or is this device`() {
        let text = RemovalText.holders(removal)
        #expect(text.contains("Laptop (signed 01234567)"))
        #expect(text.contains("Watch (in session only)"))
        #expect(text.contains("Tablet (this device)"))
    }

    @Test func `a program is told which holder is the one that answers`() {
        guard case .array(let holders)? = RemovalText.json(removal)["holders"] else {
            Issue.record("no holders")
            return
        }
        #expect(holders.map { $0["self"] } == [false, false, true])
        #expect(holders.map { $0["record"]?.string } == ["0123456789", nil, nil])
    }
}
