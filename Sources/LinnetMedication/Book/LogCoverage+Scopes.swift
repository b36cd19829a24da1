package import LinnetCRDT

extension LogCoverage {
    /// The coverage of a log of which the scopes that are named, or all but these, are held.
    ///
    /// - Parameters:
    ///   - rule: the rule that divides the log; nil where the schema has no log.
    ///   - holdsOthers: true where all scopes but the named ones are held.
    ///   - names: the names of scopes, also of other collections.
    ///   - isInStep: false on a device that joined and has not received what the group holds.
    package init(
        of rule: ScopeRule?, holdsOthers: Bool, _ names: [String], isInStep: Bool = true
    ) {
        guard isInStep else {
            self = LogCoverage(only: [])
            return
        }
        guard let rule, !rule.isAlways else {
            self = .everything
            return
        }
        let own = names.filter { rule.covers($0) }
        if case .divided(let name, .month) = rule {
            let months = own.compactMap { Month(String($0.dropFirst(name.count + 1))) }
            self = holdsOthers ? LogCoverage(except: months) : LogCoverage(only: months)
        } else {
            // Of a log that is divided otherwise nothing is said that only a part of it could tell.
            self = holdsOthers && own.isEmpty ? .everything : LogCoverage(only: [])
        }
    }
}
