import LinnetCRDT

/// Batches that cannot show any more because something that they build on is gone with its only
/// holder.
extension Catalogue {
    /// The batches that are lost or rotten, and all that build on them or share a commit with them.
    func doomed() -> FactSet {
        var doomed = FactSet()
        var grew = true
        while grew {
            grew = false
            for (number, fact) in facts.enumerated() where !doomed.contains(number) {
                if fact.isLost || fact.isRotten || buildsOn(doomed, fact) {
                    doomed.insert(number)
                    grew = true
                }
            }
        }
        return doomed
    }

    private func buildsOn(_ doomed: FactSet, _ fact: Fact) -> Bool {
        if let previous = number(fact.prev), doomed.contains(previous) { return true }
        if fact.parts > 1 {
            let parts = self.parts(of: fact.commit)
            if parts.count < Int(fact.parts) || parts.contains(where: doomed.contains) {
                return true
            }
        }
        for scope in fact.body.attributes.dependencies {
            for dependency in scope.heads {
                guard let needed = number(prefix: dependency.prefix), !doomed.contains(needed)
                else { return true }
            }
        }
        return false
    }
}
