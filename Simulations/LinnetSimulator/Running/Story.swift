/// A failing seed, shrunk and told.
package struct Story: Sendable {
    /// The end of the shrunken plan.
    package let outcome: Outcome
    /// The number of actions that the plan had and has.
    package let actionsBefore: Int
    /// The number of actions that are left.
    package let actionsLeft: Int
    /// The number of runs that it took.
    package let runs: Int
    /// The events in sentences.
    package let sentences: [String]
    /// The part of the last run that a page shows.
    package let recorded: RecordedStory

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
    static func shrinking(
        _ plan: Plan, of scenario: Scenario, outcome: Outcome, runs: Int
    ) -> Story {
        var minimiser = Minimiser(plan, outcome: outcome, runs: runs)
        minimiser.shrink()
        let sentences = Lines()
        let recorder = StoryRecorder(minimiser.plan)
        let last = Simulation.run(
            minimiser.plan,
            Simulation.Listener(
                sentence: { sentences.all.append($0) }, recorder: recorder))
        let shrinking = RecordedStory.Shrinking(
            actionsBefore: plan.actions.count, actionsLeft: minimiser.plan.actions.count,
            runs: minimiser.runs)
        return Story(
            outcome: last, actionsBefore: plan.actions.count,
            actionsLeft: minimiser.plan.actions.count, runs: minimiser.runs,
            sentences: sentences.all,
            recorded: RecordedStory(
                recorder, outcome: last, scenario: scenario, shrinking: shrinking))
    }

    private final class Lines {
        var all: [String] = []
    }
}

extension Scenario {
    /// Shrinks a failing seed and tells its story; one that does not fail is told as it is.
    package func minimise(seed: UInt64, runs: Int) -> Story {
        let plan = PlanMaker.plan(self, seed: seed)
        return Story.shrinking(plan, of: self, outcome: Simulation.run(plan), runs: runs)
    }
}
