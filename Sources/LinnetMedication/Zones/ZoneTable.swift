import LinnetWire

/// The zones that are known, by their names in the IANA database.
public struct ZoneTable: Sendable {
    private var zones = OrderedTable<String, ZoneRules>()

    /// A table of these zones; of two with one name the later one stays.
    public init(_ zones: [ZoneRules] = []) {
        for zone in zones {
            insert(zone)
        }
    }

    /// Adds a zone, in the place of one with its name.
    public mutating func insert(_ zone: ZoneRules) {
        zones[zone.name] = zone
    }

    /// The names of the zones in ascending order.
    public var names: [String] { zones.keys }

    /// Returns true when the rules of a zone are known.
    public func contains(_ name: String) -> Bool { zones[name] != nil }

    /// The rules of a zone; throws `unknownZone`.
    public func zone(named name: String) throws(MedicationError) -> ZoneRules {
        guard let zone = zones[name] else { throw .unknownZone(name) }
        return zone
    }
}
