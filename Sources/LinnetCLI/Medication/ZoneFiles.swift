import Linnet
import LinnetMedication

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Time zones as the system keeps them (tzfile(5), localtime(5)).
enum ZoneFiles {
    /// Where the zones are: $TZDIR, else the usual place.
    static var directory: String { SystemZones.directory }

    /// The name of the device's zone: $TZ, else what /etc/localtime points to, else UTC.
    static var current: String {
        if let text = Environment.value("TZ") {
            return name(ofPath: text.first == ":" ? String(text.dropFirst()) : text)
        }
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/etc/localtime", &buffer, buffer.count)
        guard count > 0 else { return "Etc/UTC" }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return name(ofPath: String(decoding: bytes, as: UTF8.self))
    }

    /// The name of a zone whose file may be given in full.
    private static func name(ofPath path: String) -> String {
        let parts = path.split(separator: "/")
        guard let place = parts.lastIndex(of: "zoneinfo"), place + 1 < parts.count else {
            return path
        }
        return parts[(place + 1)...].joined(separator: "/")
    }

    /// The rules of a zone by its IANA name; throws when there are none of that name.
    static func zone(named name: String) throws(ControlFailure) -> ZoneRules {
        do throws(MedicationError) {
            return try SystemZones.zone(named: name)
        } catch {
            throw .usage(
                "there is no time zone '\(TerminalText.neutral(name))' in \(directory); "
                    + "names are such as Europe/Berlin")
        }
    }

    /// A zone and all that a book names; one that this system does not know is left out and will be
    /// named by whoever needs it.
    static func table(_ zone: ZoneRules? = nil, for book: MedicationBook) -> ZoneTable {
        var table = ZoneTable([zone].compactMap { $0 })
        for name in book.zoneNames where !table.names.contains(name) {
            if let rules = try? self.zone(named: name) { table.insert(rules) }
        }
        return table
    }
}
