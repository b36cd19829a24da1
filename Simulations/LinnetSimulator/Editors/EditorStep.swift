import LinnetCRDT
import LinnetReplication

/// A step that somebody takes with a text that is open on a device, as an editor takes it.
struct EditorStep: Sendable {
    enum Deed: Sendable {
        /// The editor is given what others wrote, and shows it from then on.
        case look
        /// A part of what the editor shows is replaced; the place is counted anew from the start
        /// where the text is shorter.
        case edit(at: Int, deleting: Int, inserting: String)
        /// A cursor is put somewhere, and kept.
        case point(at: Int, TextCursor.Side)
        case undo
        case redo
    }

    var place: TextPlace
    /// The unit in which the editor counts.
    var unit: TextUnit
    var deed: Deed

    var sentence: String {
        let what =
            switch deed {
            case .look: "looks"
            case .edit(let place, let count, let text):
                "types at \(place) \(unit): \(count) out, \(text.unicodeScalars.count) in"
            case .point(let place, let side): "puts a cursor \(side) at \(place) \(unit)"
            case .undo: "takes back"
            case .redo: "makes again"
            }
        return "\(what) in field \(place.field) of \(place.record.record)"
    }
}

/// The people who have texts open, in the scenario that is about them.
enum EditorPlan {
    /// The most time between two keys of somebody who types on, and within one step of an undo.
    private static let keyMilliseconds = 700

    /// Draws who opens which text when, and what they do in it.
    static func draw(for maker: inout PlanMaker) {
        var random = SeededRandom(seed: maker.seed).fork(maker.scenario.name).fork("editors")
        let days = Int(maker.plan.duration / PlanMaker.day)
        for _ in 0..<4 * random.number(in: maker.scenario.commitsPerDay) * days {
            let place = place(&random)
            let unit: TextUnit = random.chance(2, in: 3) ? .utf16 : .scalars
            let device = random.below(maker.plan.devices)
            var time = Int64(random.below(Int(maker.plan.duration)))
            for _ in 0..<random.number(in: 1...9) {
                let step = EditorStep(place: place, unit: unit, deed: deed(&random))
                maker.add(.editor(device: device, step), at: time)
                time += Int64(
                    random.chance(4, in: 5)
                        ? random.below(keyMilliseconds) : random.below(3_600_000))
            }
        }
    }

    /// One of a few texts, so that people meet in them.
    private static func place(_ random: inout SeededRandom) -> TextPlace {
        let isVisit = random.chance(1, in: 3)
        let record = HouseholdWorkload().key(
            isVisit ? HouseholdSchema.visits : HouseholdSchema.parcels, random.below(2))
        return TextPlace(record: record, field: 4)
    }

    private static func deed(_ random: inout SeededRandom) -> EditorStep.Deed {
        let place = random.chance(1, in: 4) ? 0 : random.below(1_000)
        switch random.below(14) {
        case 0...2: return .look
        case 3: return .point(at: place, random.chance(1, in: 2) ? .before : .after)
        case 4, 5: return .undo
        case 6: return .redo
        case 7, 8: return .edit(at: place, deleting: random.number(in: 1...6), inserting: "")
        case 9:
            return .edit(
                at: place, deleting: random.number(in: 1...4), inserting: text(&random))
        default: return .edit(at: place, deleting: 0, inserting: text(&random))
        }
    }

    /// Letters of one code unit and of two, and such as join those before them.
    private static func text(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "be", "no ", "Ä", "水", "👩", "e\u{301}", "\u{301}", "\u{200d}", "👩‍👧",
            "🇩🇪", "\n",
        ]
        if random.chance(1, in: 15) { return Canary.text }
        return (0..<random.number(in: 1...3)).map { _ in random.pick(pieces) }.joined()
    }
}
