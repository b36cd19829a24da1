import Linnet
package import LinnetControl
package import LinnetMedication
import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Time zones as the system keeps them (tzfile(5), localtime(5)).
package enum ZoneFiles {
    /// The directory of the zones: $TZDIR, else the usual place.
    package static var directory: String { SystemZones.directory }

    /// The name of the device's zone: from $TZ, else from the link /etc/localtime, else UTC.
    package static var current: String {
        if let text = Environment.value("TZ") {
            return name(ofPath: text.first == ":" ? String(text.dropFirst()) : text)
        }
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/etc/localtime", &buffer, buffer.count)
        guard count > 0 else { return "Etc/UTC" }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        return name(ofPath: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the name of a zone whose file may be given as a full path.
    private static func name(ofPath path: String) -> String {
        let parts = path.split(separator: "/")
        guard let place = parts.lastIndex(of: "zoneinfo"), place + 1 < parts.count else {
            return path
        }
        return parts[(place + 1)...].joined(separator: "/")
    }

    /// Returns the names of zones, and of the areas that hold some with a slash behind them, which
    /// begin with a text; of one area at a time, as in a directory.
    package static func names(beginningWith text: String) -> [String] {
        let area = text.lastIndex(of: "/").map { String(text[...$0]) } ?? ""
        guard area.isEmpty || SystemZones.isName(String(area.dropLast())) else { return [] }
        let found: [String]
        do throws(HomeError) {
            found = try OpenFile.directory(at: "\(directory)/\(area)").names()
        } catch {
            // There is no such area.
            return []
        }
        return found.sorted().compactMap { entry in
            // Beside the zones lie tables and copies for other clocks, in small letters.
            let name = area + entry
            guard entry.first?.isUppercase == true, SystemZones.isName(name),
                name.hasPrefix(text)
            else { return nil }
            return FilePath.kind(of: "\(directory)/\(name)") == .directory ? name + "/" : name
        }
    }

    /// The result of a search for a zone.
    package enum Finding {
        /// The rules of the zone.
        case rules(ZoneRules)
        /// There is no file of that name.
        case missing
        /// There is a file; the text says why its rules are not known.
        case unreadable(String)
    }

    /// Looks for the rules of a zone by its IANA name.
    package static func look(for name: String) -> Finding {
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

    /// Returns the rules of a zone by its IANA name; throws when there is none of that name, or
    /// when its file cannot be read.
    package static func zone(named name: String) throws(ControlFailure) -> ZoneRules {
        switch look(for: name) {
        case .rules(let rules): return rules
        case .missing:
            throw .usage(
                "there is no time zone '\(TerminalText.neutral(name))' in \(directory); "
                    + "a name looks like Europe/Berlin")
        case .unreadable(let why):
            throw .failed("the time zone \(TerminalText.neutral(name)) could not be read: \(why)")
        }
    }

    /// Returns the reason why the rules of a zone are not at hand, and the remedy.
    package static func reason(for name: String) -> String {
        let shown = TerminalText.neutral(name)
        if case .unreadable(let why) = look(for: name) {
            return "the rules of the time zone \(shown) could not be read: \(why)"
        }
        return "the rules of the time zone \(shown) are missing in \(directory): install or "
            + "update the zone database"
    }

    /// Returns a zone and all those that a book names. It leaves out zones whose rules this system
    /// lacks or cannot read; whatever needs one of those names it.
    package static func table(_ zone: ZoneRules? = nil, for book: MedicationBook) -> ZoneTable {
        var table = ZoneTable([zone].compactMap { $0 })
        for name in book.zoneNames where !table.names.contains(name) {
            if case .rules(let rules) = look(for: name) { table.insert(rules) }
        }
        return table
    }
}
