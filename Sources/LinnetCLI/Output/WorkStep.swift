/// One step of a long command, as a person is told of it.
struct WorkStep {
    /// The things that are counted and the deed, as in "lines read".
    let things: String
    /// The parts of a thing, where progress comes in parts; 1 where things are counted.
    let parts: Int
    /// The cost of the step beside the others; nil while its size is not known.
    let cost: Double?

    /// Makes a step that counts things.
    init(_ things: String, cost: Double? = 1) {
        (self.things, self.cost, parts) = (things, cost, 1)
    }

    /// Makes a step that does several things to each thing, and counts the parts of them.
    init(_ things: String, inPartsOf parts: Int, cost: Double? = 1) {
        (self.things, self.cost, self.parts) = (things, cost, parts)
    }

    /// Returns "1200 of 5000 lines read", or "24 % of 5000 changes written" where a thing has
    /// parts.
    func count(_ done: Int, of total: Int?) -> String {
        guard let total else { return "\(done / parts) \(things)" }
        let all = max(done, total)
        if parts == 1 { return "\(done) of \(all) \(things)" }
        let percent = all > 0 ? Int(Double(done) * 100 / Double(all)) : 0
        return "\(percent) % of \(all / parts) \(things)"
    }
}
