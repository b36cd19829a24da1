import Linnet
import LinnetMedication
import Testing

struct SystemZonesTests {
    @Test func `a zone of the system has rules`() throws {
        let zone = try SystemZones.zone(named: "Europe/Berlin")
        let noon = try #require(Instant("2026-11-20T12:00:00Z"))
        #expect(zone.name == "Europe/Berlin" && zone.offsetSeconds(at: noon) == 3_600)
    }

    @Test(arguments: ["", "Europe/Nowhere", "../etc/passwd", "/etc/passwd", "Europe/", "a b"])
    func `a name of no zone is refused`(_ name: String) {
        #expect(throws: MedicationError.unknownZone(name)) { try SystemZones.zone(named: name) }
    }
}
