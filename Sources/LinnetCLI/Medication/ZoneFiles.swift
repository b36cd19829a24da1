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

    /// What became of looking for a zone.
    enum Finding {
        case rules(ZoneRules)
        /// There is no file of that name.
        case missing
        /// There is one, and this says why its rules are not known.
        case unreadable(String)
    }

    /// Looks for the rules of a zone by its IANA name.
    static func look(for name: String) -> Finding {
        let path = "\(directory)/\(name)"
        guard SystemZones.isName(name), FilePath.kind(of: path) != .directory else {
            return .missing
        }
        let isMissing = unsafe access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
        if isMissing { return .missing }
        let bytes: [UInt8]
        do throws(ControlFailure) {
            bytes = try FileText.read(path)
        } catch {
            return .unreadable(error.message)
        }
        do throws(MedicationError) {
            return .rules(try ZoneRules(name: name, file: bytes))
        } catch {
            let shown = TerminalText.neutral(path)
            return .unreadable("\(shown) is damaged: install the zone database again")
        }
    }

    /// The rules of a zone by its IANA name; throws when there are none of that name, or they
    /// cannot be read.
    static func zone(named name: String) throws(ControlFailure) -> ZoneRules {
        switch look(for: name) {
        case .rules(let rules): return rules
        case .missing:
            throw .usage(
                "there is no time zone '\(TerminalText.neutral(name))' in \(directory); "
                    + "names are such as Europe/Berlin")
        case .unreadable(let why):
            throw .failed("the time zone \(TerminalText.neutral(name)) could not be read: \(why)")
        }
    }

    /// Why the rules of a zone are not at hand, and what to do.
    static func reason(for name: String) -> String {
        let shown = TerminalText.neutral(name)
        if case .unreadable(let why) = look(for: name) {
            return "the rules of the time zone \(shown) could not be read: \(why)"
        }
        return "the rules of the time zone \(shown) are missing in \(directory): install or "
            + "update the zone database"
    }

    /// A zone and all that a book names; one whose rules this system lacks or cannot read is left
    /// out and will be named by whoever needs it.
    static func table(_ zone: ZoneRules? = nil, for book: MedicationBook) -> ZoneTable {
        var table = ZoneTable([zone].compactMap { $0 })
        for name in book.zoneNames where !table.names.contains(name) {
            if case .rules(let rules) = look(for: name) { table.insert(rules) }
        }
        return table
    }
}
