/// A search through the histories of a fleet for one that goes wrong.
package struct CutSearch: Sendable {
    /// A history that goes wrong, and how.
    package struct Found: Sendable {
        package let fault: String
        package let steps: [CutStep]
    }

    /// States that were judged.
    package private(set) var visited = 0
    /// True when nothing that can happen was left out.
    package private(set) var isWhole = true
    /// The first history that went wrong.
    package private(set) var found: Found?

    /// Plays every history, the shortest first, until so many different states are known.
    package init(all start: CutWorld, most: Int) {
        var seen: Set<CutWorld> = [start]
        var queue: [Visit] = [Visit(world: start, from: nil, step: nil)]
        var next = 0
        while next < queue.count {
            let world = queue[next].world
            visited += 1
            if let fault = world.fault() ?? world.stall() {
                found = Found(fault: fault, steps: Self.way(to: next, in: queue))
                return
            }
            for step in world.steps() {
                guard seen.count < most else {
                    isWhole = false
                    break
                }
                let after = world.after(step)
                if seen.insert(after).inserted {
                    queue.append(Visit(world: after, from: next, step: step))
                }
            }
            next += 1
        }
    }

    /// Plays histories of chance: so many, each of so many steps.
    package init(
        walks: Int, of length: Int, from start: CutWorld,
        using random: inout some RandomNumberGenerator
    ) {
        isWhole = false
        for _ in 0..<walks {
            var world = start
            var steps: [CutStep] = []
            for _ in 0..<length {
                guard let step = world.steps().randomElement(using: &random) else { break }
                let after = world.after(step)
                if after == world { continue }
                world = after
                steps.append(step)
                visited += 1
                if let fault = world.fault() {
                    found = Found(fault: fault, steps: steps)
                    return
                }
            }
            if let fault = world.stall() {
                found = Found(fault: fault, steps: steps)
                return
            }
        }
    }

    private struct Visit {
        let world: CutWorld
        let from: Int?
        let step: CutStep?
    }

    private static func way(to place: Int, in queue: [Visit]) -> [CutStep] {
        var steps: [CutStep] = []
        var here: Int? = place
        while let visit = here.map({ queue[$0] }) {
            if let step = visit.step { steps.append(step) }
            here = visit.from
        }
        return steps.reversed()
    }
}
