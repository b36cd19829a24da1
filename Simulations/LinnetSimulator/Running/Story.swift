/// A failing seed, shrunk and told.
package struct Story: Sendable {
    /// What became of the shrunken plan.
    package let outcome: Outcome
    /// How many actions the plan had and has.
    package let actionsBefore: Int
    /// How many actions are left.
    package let actionsLeft: Int
    /// How many runs it took.
    package let runs: Int
    /// What happens, in sentences.
    package let sentences: [String]

    /// The story for people, the last states included.
    package var report: String {
        let head =
            "story: \(actionsLeft) of \(actionsBefore) actions are left after \(runs) runs"
        return
            ([head] + sentences.map { "  " + $0 } + [outcome.complaint ?? ""]
            + [outcome.statesReport]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The story as one line of JSON.
    package var json: String {
        func list(_ texts: [String]) -> JSONLine.Value {
            .encoded("[" + texts.map { JSONLine.encoded(.text($0)) }.joined(separator: ",") + "]")
        }
        let story = JSONLine.object([
            ("scenario", .text(outcome.scenario)),
            ("seed", .number(Int64(bitPattern: outcome.seed))),
            ("actionsBefore", .number(Int64(actionsBefore))),
            ("actionsLeft", .number(Int64(actionsLeft))), ("runs", .number(Int64(runs))),
            ("complaint", outcome.complaint.map { .text($0) } ?? .null),
            ("sentences", list(sentences)), ("states", list(outcome.states)),
        ])
        return JSONLine.object([("story", .encoded(story))])
    }

    /// Shrinks a failing plan within a number of runs and tells what is left of it.
    static func shrinking(_ plan: Plan, outcome: Outcome, runs: Int) -> Story {
        var minimiser = Minimiser(plan, outcome: outcome, runs: runs)
        minimiser.shrink()
        let sentences = Lines()
        let last = Simulation.run(
            minimiser.plan, Simulation.Listener(sentence: { sentences.all.append($0) }))
        return Story(
            outcome: last, actionsBefore: plan.actions.count,
            actionsLeft: minimiser.plan.actions.count, runs: minimiser.runs,
            sentences: sentences.all)
    }

    private final class Lines {
        var all: [String] = []
    }
}

extension Scenario {
    /// Shrinks a failing seed and tells its story; one that does not fail is told as it is.
    package func minimise(seed: UInt64, runs: Int) -> Story {
        let plan = PlanMaker.plan(self, seed: seed)
        return Story.shrinking(plan, outcome: Simulation.run(plan), runs: runs)
    }
}
