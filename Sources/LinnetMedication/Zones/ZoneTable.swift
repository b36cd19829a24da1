import LinnetWire

/// The zones that are known, by their names in the IANA database.
package struct ZoneTable: Sendable {
    private var zones = OrderedTable<String, ZoneRules>()

    /// A table of these zones; of two with one name the later one stays.
    package init(_ zones: [ZoneRules] = []) {
        for zone in zones {
            insert(zone)
        }
    }

    /// Adds a zone, in the place of one with its name.
    package mutating func insert(_ zone: ZoneRules) {
        zones[zone.name] = zone
    }

    /// The names of the zones in ascending order.
    package var names: [String] { zones.keys }

    /// Returns true when the rules of a zone are known.
    package func contains(_ name: String) -> Bool { zones[name] != nil }

    /// The rules of a zone; throws `unknownZone`.
    package func zone(named name: String) throws(MedicationError) -> ZoneRules {
        guard let zone = zones[name] else { throw .unknownZone(name) }
        return zone
    }
}
