package import LinnetCRDT
package import LinnetWire

/// The scopes of time-divided collections that a device with little room holds: those of this
/// period and the one before, and of the next one when it begins within a day.
package enum RecentScopes {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// The years in which scopes to leave are looked for.
    private static let years: ClosedRange<Int64> = 1970...2199

    /// Returns the names of the scopes to hold, of every time-divided collection, ascending and
    /// each once.
    package static func names(of schema: Schema, at now: Moment) -> [String] {
        let today = CivilTime.floorDivision(now.wallMilliseconds, by: dayMilliseconds)
        return names(of: schema) { parts(of: $0, around: today) }
    }

    /// Returns every name that a scope of a time-divided collection may have.
    static func all(of schema: Schema) -> [String] {
        names(of: schema) { division in
            let first = CivilTime.days(year: years.lowerBound, month: 1, day: 1)
            let last = CivilTime.days(year: years.upperBound, month: 12, day: 31)
            return parts(of: division, from: first, through: last)
        }
    }

    /// Returns true when a scope belongs to a time-divided collection.
    static func covers(_ name: String, in schema: Schema) -> Bool {
        schema.collections.contains { collection in
            guard case .divided(_, let division) = collection.scope else { return false }
            return division != .segment && collection.scope.covers(name)
        }
    }

    private static func names(
        of schema: Schema, _ parts: (Division) -> [String]
    ) -> [String] {
        var names: [String] = []
        for collection in schema.collections {
            guard case .divided(let name, let division) = collection.scope, division != .segment
            else { continue }
            names += parts(division).map { name + "/" + $0 }
        }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        // Collections may share a scope.
        return names.indices.filter {
            $0 == 0 || !names[$0].utf8.elementsEqual(names[$0 - 1].utf8)
        }.map { names[$0] }
    }

    private static func parts(of division: Division, around today: Int64) -> [String] {
        let (year, month, _) = CivilTime.civil(days: today)
        let first =
            switch division {
            case .year: CivilTime.days(year: year - 1, month: 1, day: 1)
            case .month, .day, .segment:
                month == 1
                    ? CivilTime.days(year: year - 1, month: 12, day: 1)
                    : CivilTime.days(year: year, month: month - 1, day: 1)
            }
        return parts(of: division, from: first, through: today + 1)
    }

    private static func parts(
        of division: Division, from first: Int64, through last: Int64
    ) -> [String] {
        let length =
            switch division {
            case .year: 4
            case .month, .segment: 7
            case .day: 10
            }
        var parts: [String] = []
        for day in first...max(first, last) {
            let part = String(CivilTime.dateText(days: day).prefix(length))
            if parts.last != part { parts.append(part) }
        }
        return parts
    }
}
