package import Linnet
package import LinnetControl
import LinnetMedication
import LinnetSystem
import LinnetWire

extension MedicineDesk {
    /// Reads the medicines of a home as of now, in the zone that the call names.
    static func read(_ call: Verb.Call) async throws(ControlFailure) -> MedicineDesk {
        try await read(call.gateway, zone: try call.members.optionalText("zone"))
    }

    /// Reads the medicines of a home as of now, in a zone; nil is the system's.
    package static func read(
        _ gateway: Gateway, zone name: String?
    ) async throws(ControlFailure) -> MedicineDesk {
        let zone = try ZoneFiles.zone(named: name ?? ZoneFiles.current)
        let book = try await BookReader.book(gateway)
        return MedicineDesk(
            book: book, zone: zone, zones: ZoneFiles.table(zone, for: book),
            now: Instant(milliseconds: SystemClock.now().wallMilliseconds))
    }
}
