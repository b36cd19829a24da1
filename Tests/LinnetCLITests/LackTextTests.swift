import LinnetAPI
import LinnetControl
import LinnetWire
import Testing

@Suite struct LackTextTests {
    private func lack(
        _ batches: UInt64, opened: UInt64, _ parts: [(String, UInt64)] = []
    ) -> ControlLack {
        ControlLack(
            device: DeviceID(repeating: 1), batches: batches, opened: opened,
            parts: parts.map { ControlLack.Part(collection: $0.0, records: $0.1) })
    }

    @Test func `a device that is away lacks by what it said when it was heard`() {
        let words = LackText.words(
            lack(3, opened: 3, [("doseEvent", 2), ("medication", 1)]), isConnected: false)
        #expect(
            words
                == "lacks 3 batches with 2 records of doseEvent, 1 record of medication"
                + " by what it said then")
    }

    @Test func `only the newest of many batches were looked into`() {
        let words = LackText.words(lack(900, opened: 256, [("item", 4)]), isConnected: true)
        #expect(words == "lacks 900 batches; the newest 256 have 4 records of item")
    }

    @Test func `nothing is claimed where nothing is known`() {
        #expect(LackText.words(nil, isConnected: false) == nil)
        #expect(LackText.words(lack(0, opened: 0), isConnected: true) == nil)
        #expect(LackText.words(lack(0, opened: 0), isConnected: false) == "lacked nothing then")
    }
}
