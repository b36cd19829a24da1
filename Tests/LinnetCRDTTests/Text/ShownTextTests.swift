import LinnetWire
import Testing

@testable import LinnetCRDT

/// The text that an editor shows while others write, beside the text of the replicas.
@Suite struct ShownTextTests {
    @Test(arguments: 0..<60)
    func `deltas lead from any state that was seen to any later one`(seed: Int) throws {
        var history = TextHistory(seed: seed, replicas: 3)
        var random = Seeded(seed + 1_000)
        var shown = (0..<3).map { _ in ShownText() }
        for _ in 0..<120 {
            try history.step()
            let replica = random.below(3)
            let document = history.texts[replica]
            let unit = TextUnit.allCases[random.below(3)]
            let delta = shown[replica].delta(to: document, in: unit)
            let new = try #require(delta.applied(to: shown[replica].string))
            #expect(new.unicodeScalars.elementsEqual(document.string.unicodeScalars))
            shown[replica] = ShownText(document)
            #expect(shown[replica].delta(to: document, in: unit).isEmpty)
        }
    }

    @Test(arguments: 0..<60)
    func `a cursor stays at its scalar whatever comes and goes`(seed: Int) throws {
        var history = TextHistory(seed: seed, replicas: 2, alphabet: ["a", "b", "😀", "é"])
        var random = Seeded(seed)
        for _ in 0..<40 { try history.step() }
        let document = history.texts[0]
        let shown = ShownText(document)
        let length = document.scalarCount
        guard length > 0 else { return }
        let place = random.below(length)
        let before = try shown.cursor(at: place, sticking: .before, in: .scalars)
        let after = try shown.cursor(at: place + 1, sticking: .after, in: .scalars)
        #expect(shown.place(of: before, in: document, .scalars)?.offset == place)
        #expect(shown.place(of: after, in: document, .scalars)?.offset == place + 1)
        let id = try #require(before.anchor)
        #expect(after.anchor == id)
        for _ in 0..<60 {
            try history.step()
            let now = history.texts[0]
            let elements = history.naive[0].elements()
            let index = try #require(elements.firstIndex { $0.id == id })
            let visible = elements[..<index].count { !$0.isDeleted }
            let isDeleted = elements[index].isDeleted
            let latest = ShownText(now)
            #expect(
                latest.place(of: before, in: now, .scalars)
                    == CursorPlace(offset: visible, isDeleted: isDeleted))
            #expect(
                latest.place(of: after, in: now, .scalars)
                    == CursorPlace(offset: visible + (isDeleted ? 0 : 1), isDeleted: isDeleted))
            let units = try #require(latest.place(of: before, in: now, .utf16)?.offset)
            #expect(units == String(now.string.unicodeScalars.prefix(visible)).utf16.count)
        }
    }

    /// A replica whose editor has missed some of what came.
    private struct Typist {
        var document = TextDocument()
        var shown = ShownText()
        var next: Position

        init(_ name: UInt8) {
            next = Position(chain: AuthorID(repeating: name), seq: 1, index: 0)
        }

        mutating func type(_ place: Int, _ count: Int, _ text: String) throws -> [PlacedEdit] {
            let scalars = try shown.scalars(at: place, count: count, in: .scalars)
            let before = TextNames(document, before: next.chain)
            var placed: [PlacedEdit] = []
            for edit in try document.edit(shown.splice(scalars, with: text)) {
                placed.append(PlacedEdit(edit: edit, position: next))
                _ = document.apply(edit, at: next)
                next = Position(chain: next.chain, seq: next.seq + 1, index: 0)
            }
            _ = shown.take(scalars, with: text, from: before, to: document)
            return placed
        }
    }

    @Test func `what is typed after the text was deleted is known as an own edit`() throws {
        var typist = Typist(1)
        _ = try typist.type(0, 0, "old")
        let old = typist.document
        // The record was deleted: what comes begins a new life of it, which the editor mixes up
        // with what it shows until it looks.
        typist.document = TextDocument()
        let before = TextNames(old, before: typist.next.chain)
        let edits = try typist.document.edit(typist.shown.splice(0..<0, with: "new"))
        for edit in edits { _ = typist.document.apply(edit, at: typist.next) }
        let effect = typist.shown.take(0..<0, with: "new", from: before, to: typist.document)
        #expect(typist.shown.string == "newold")
        #expect(effect.inserted.count == 3)
        for edit in try typist.document.edit(typist.shown.splice(1..<3, with: "")) {
            _ = typist.document.apply(edit, at: typist.next)
        }
        #expect(typist.document.string == "n")
        let delta = typist.shown.delta(to: typist.document, in: .scalars)
        #expect(delta.applied(to: typist.shown.string) == "n")
        let cursor = try typist.shown.cursor(at: 0, sticking: .before, in: .scalars)
        #expect(typist.shown.place(of: cursor, in: typist.document, .scalars) == nil)
    }

    @Test func `what others wrote in the same call is no own edit`() throws {
        var (here, there) = (Typist(1), Typist(2))
        let theirs = try there.type(0, 0, "them")
        let before = TextNames(here.document, before: here.next.chain)
        for edit in try here.document.edit(here.shown.splice(0..<0, with: "us")) {
            _ = here.document.apply(edit, at: here.next)
        }
        for placed in theirs { _ = here.document.apply(placed.edit, at: placed.position) }
        let effect = here.shown.take(0..<0, with: "us", from: before, to: here.document)
        #expect(here.shown.string == "us" && effect.inserted.count == 2)
        let delta = here.shown.delta(to: here.document, in: .scalars)
        #expect(delta.steps.contains(.insert("them")))
    }

    @Test(arguments: 0..<60)
    func `an edit of what is shown does the same in the text as it is by now`(seed: Int) throws {
        var random = Seeded(seed)
        var (here, there) = (Typist(1), Typist(2))
        var waiting: [PlacedEdit] = []
        for _ in 0..<150 {
            switch random.below(5) {
            case 0:
                for placed in waiting { _ = here.document.apply(placed.edit, at: placed.position) }
                waiting = []
            case 1:
                let delta = here.shown.delta(to: here.document, in: .utf16)
                #expect(delta.applied(to: here.shown.string) == here.document.string)
                here.shown = ShownText(here.document)
            case 2:
                let length = there.shown.length(in: .scalars)
                waiting += try there.type(random.below(length + 1), 0, "t")
            default:
                let old = here.shown.string
                let length = old.unicodeScalars.count
                let place = random.below(length + 1)
                let count = random.below(3) == 0 ? min(2, length - place) : 0
                let edits = try here.type(place, count, random.below(4) == 0 ? "" : "xé")
                // The editor shows its edit, and nothing else has changed for it.
                var expected = Array(old.unicodeScalars)
                let new = here.shown.string.unicodeScalars
                let inserted = new.count - length + count
                expected.replaceSubrange(
                    place..<place + count,
                    with: Array("xé".unicodeScalars.prefix(inserted)))
                #expect(new.elementsEqual(expected))
                for placed in edits { _ = there.document.apply(placed.edit, at: placed.position) }
                there.shown = ShownText(there.document)
            }
        }
        for placed in waiting { _ = here.document.apply(placed.edit, at: placed.position) }
        #expect(here.document == there.document)
        #expect(
            here.shown.delta(to: here.document, in: .scalars).applied(to: here.shown.string)
                == there.document.string)
    }

    @Test func `two who type at one place keep their words whole`() throws {
        var (here, there) = (Typist(1), Typist(2))
        var (mine, theirs): ([PlacedEdit], [PlacedEdit]) = ([], [])
        for (place, letter) in "one".enumerated() {
            mine += try here.type(place, 0, String(letter))
        }
        for (place, letter) in "two".enumerated() {
            theirs += try there.type(place, 0, String(letter))
        }
        for placed in theirs { _ = here.document.apply(placed.edit, at: placed.position) }
        for placed in mine { _ = there.document.apply(placed.edit, at: placed.position) }
        #expect(here.document.string == there.document.string)
        #expect(["onetwo", "twoone"].contains(here.document.string))
        // Neither editor has been told; both go on with their own word.
        mine = try here.type(3, 0, "!")
        theirs = try there.type(3, 0, "?")
        for placed in theirs { _ = here.document.apply(placed.edit, at: placed.position) }
        for placed in mine { _ = there.document.apply(placed.edit, at: placed.position) }
        #expect(here.document.string == there.document.string)
        #expect(["one!two?", "two?one!"].contains(here.document.string))
    }

    @Test func `offsets outside and within a scalar are refused`() {
        var document = TextDocument()
        for edit in document.edit(to: "a😀") {
            let position = Position(chain: AuthorID(repeating: 1), seq: 1, index: 0)
            _ = document.apply(edit, at: position)
        }
        let shown = ShownText(document)
        #expect(throws: TextError.outOfRange) { try shown.scalars(at: 4, count: 0, in: .utf16) }
        #expect(throws: TextError.outOfRange) { try shown.scalars(at: 1, count: 3, in: .utf16) }
        #expect(throws: TextError.outOfRange) { try shown.scalars(at: -1, count: 0, in: .utf16) }
        #expect(throws: TextError.insideSurrogatePair) {
            try shown.scalars(at: 2, count: 0, in: .utf16)
        }
        #expect(throws: TextError.outOfRange) {
            try document.edit(
                TextSplice(inserting: [
                    .init(
                        after: TextID(
                            position: Position(
                                chain: AuthorID(repeating: 2), seq: 1, index: 0), offset: 0), "x")
                ]))
        }
    }

    @Test func `another text in its place is told as a replacement`() throws {
        var (old, new) = (Typist(1), Typist(2))
        _ = try old.type(0, 0, "old")
        _ = try new.type(0, 0, "new")
        #expect(
            old.shown.delta(to: new.document, in: .scalars).steps == [.delete(3), .insert("new")])
    }
}
