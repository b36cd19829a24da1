public import LinnetMedication
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The time zones that the system keeps (tzfile(5)), from `$TZDIR` or the usual place.
public enum SystemZones {
    private static let usual = "/usr/share/zoneinfo"

    /// The directory of the zones.
    package static var directory: String {
        guard let text = unsafe getenv("TZDIR") else { return usual }
        let named = unsafe String(cString: text)
        return named.isEmpty ? usual : named
    }

    /// Reads the rules of a zone by its IANA name, such as `Europe/Berlin`; throws `unknownZone`
    /// where the system has none of that name, and `badZone` where its file is damaged.
    public static func zone(named name: String) throws(MedicationError) -> ZoneRules {
        guard isName(name) else { throw .unknownZone(name) }
        let bytes: [UInt8]
        do throws(HomeError) {
            bytes = try OpenFile.reading(at: "\(directory)/\(name)").read(upTo: longestFileBytes)
        } catch {
            throw .unknownZone(name)
        }
        return try ZoneRules(name: name, file: bytes)
    }

    /// The limit for reading, in bytes; no zone's file is as long.
    private static let longestFileBytes = 1 << 20

    /// Returns true when a text can be the name of a zone, and leads to no other place.
    package static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty && part.first != "."
                    && part.utf8.allSatisfy { byte in
                        switch byte {
                        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x5f, 0x2e: true
                        default: false
                        }
                    }
            }
    }
}
