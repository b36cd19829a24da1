/// One step of a long command, as a person is told of it.
struct WorkStep {
    /// What is counted and done, as in "lines read".
    let things: String
    /// Parts that a thing has where something is told in parts; 1 where things are counted.
    let parts: Int
    /// What the step costs beside the others; nil while it is not known how much it has to do.
    let cost: Double?

    /// A step that counts things.
    init(_ things: String, cost: Double? = 1) {
        (self.things, self.cost, parts) = (things, cost, 1)
    }

    /// A step in which several things are done to each thing: so much of each is a part.
    init(_ things: String, inPartsOf parts: Int, cost: Double? = 1) {
        (self.things, self.cost, self.parts) = (things, cost, parts)
    }

    /// "1200 of 5000 lines read", or "24 % of 5000 changes written" where a thing has parts.
    func count(_ done: Int, of total: Int?) -> String {
        guard let total else { return "\(done / parts) \(things)" }
        let all = max(done, total)
        if parts == 1 { return "\(done) of \(all) \(things)" }
        let percent = all > 0 ? Int(Double(done) * 100 / Double(all)) : 0
        return "\(percent) % of \(all / parts) \(things)"
    }
}
