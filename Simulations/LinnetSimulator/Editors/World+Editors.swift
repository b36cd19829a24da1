import LinnetCRDT
import LinnetReplication
import LinnetWire

/// A text that somebody has open, beside the reference of it.
struct SimulatedEditor {
    var shown: ShownText
    var history = TextUndo()
    var cursors: [TextCursor] = []
    var reference: ReferenceEditor

    init(_ text: SimulatedText) {
        shown = ShownText(text.document)
        reference = ReferenceEditor(showing: text.letters)
    }
}

/// A text as a device has it, and as it should be.
struct SimulatedText {
    let document: TextDocument
    let letters: [ReferenceText.Letter]
}

extension World {
    /// The most cursors that an editor keeps.
    private static let mostCursors = 4

    /// Somebody does something in a text that is open.
    func perform(_ step: EditorStep, on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember, !inspector.views[device.index].isDamaged,
            let collection = schema(device).collection(id: step.place.record.collection),
            collection.field(id: step.place.field) != nil,
            let text = text(at: step.place, on: device)
        else { return }
        let scene = EditorScene(place: step.place, unit: step.unit, device: device)
        var editor = device.typing.editors[step.place] ?? SimulatedEditor(text)
        try checkCursors(of: editor, text, scene)
        switch step.deed {
        case .look: try look(&editor, text, scene)
        case .point(let place, let side): try point(&editor, at: place, side, scene)
        case .edit(let place, let count, let new):
            guard try edit(&editor, text, at: place, deleting: count, inserting: new, scene)
            else { return }
        case .undo: guard try take(.undo, &editor, text, scene) else { return }
        case .redo: guard try take(.redo, &editor, text, scene) else { return }
        }
        device.typing.editors[step.place] = editor
    }

    private struct EditorScene {
        let place: TextPlace
        let unit: TextUnit
        let device: SimulatedDevice
    }

    /// Returns a text as a device has it; nil when it cannot be read.
    private func text(at place: TextPlace, on device: SimulatedDevice) -> SimulatedText? {
        let document: TextDocument?
        do throws(ReplicaError) {
            document = try device.replica?.reader.text(place.record, field: place.field)
        } catch {
            return nil
        }
        return document.map { document in
            SimulatedText(
                document: document,
                letters: inspector.known.referenceFold(device.index).text(at: place))
        }
    }

    private func see(
        _ what: String, _ found: String, _ expected: String, _ scene: EditorScene
    ) throws(Violation) {
        try inspector.show(
            .edited(
                Sight.Editing(
                    device: scene.device.index, what: what, found: found, expected: expected)))
    }

    private func look(
        _ editor: inout SimulatedEditor, _ text: SimulatedText, _ scene: EditorScene
    ) throws(Violation) {
        let delta = editor.shown.delta(to: text.document, in: scene.unit)
        let steps = editor.reference.change(to: text.letters, in: scene.unit)
        try see("the change that an editor is told", "\(delta.steps)", "\(steps)", scene)
        editor.shown = ShownText(text.document)
        editor.reference.show(text.letters)
        try see("what an editor shows", editor.shown.string, editor.reference.string, scene)
    }

    private func checkCursors(
        of editor: SimulatedEditor, _ text: SimulatedText, _ scene: EditorScene
    ) throws(Violation) {
        for cursor in editor.cursors {
            let found = editor.shown.place(of: cursor, in: text.document, scene.unit)
            let expected = editor.reference.place(of: cursor, in: text.letters, scene.unit)
            try see("a cursor", told(found), told(expected), scene)
        }
    }

    private func told(_ place: CursorPlace?) -> String {
        place.map { "at \($0.offset)\($0.isDeleted ? ", where a character was" : "")" } ?? "nowhere"
    }

    private func point(
        _ editor: inout SimulatedEditor, at wish: Int, _ side: TextCursor.Side,
        _ scene: EditorScene
    ) throws(Violation) {
        let place = wish % (editor.reference.length(in: scene.unit) + 1)
        var found: TextCursor?
        do throws(TextError) {
            found = try editor.shown.cursor(at: place, sticking: side, in: scene.unit)
        } catch {
            found = nil
        }
        let expected = editor.reference.cursor(at: place, side, in: scene.unit)
        try see(
            "a new cursor", found?.description ?? "refused", expected?.description ?? "refused",
            scene)
        guard let found else { return }
        editor.cursors = editor.cursors.suffix(Self.mostCursors - 1) + [found]
    }

    /// Somebody types; false when nothing came of it.
    private func edit(
        _ editor: inout SimulatedEditor, _ text: SimulatedText, at wish: Int, deleting most: Int,
        inserting new: String, _ scene: EditorScene
    ) throws(Violation) -> Bool {
        let length = editor.reference.length(in: scene.unit)
        let place = wish % (length + 1)
        let count = min(most, length - place)
        var found: Range<Int>?
        do throws(TextError) {
            found = try editor.shown.scalars(at: place, count: count, in: scene.unit)
        } catch {
            found = nil
        }
        let expected = editor.reference.scalars(at: place, count: count, in: scene.unit)
        try see("the scalars of an edit", told(found), told(expected), scene)
        guard let scalars = expected, count > 0 || !new.isEmpty else { return false }
        let splice = editor.shown.splice(scalars, with: new)
        let names = names(of: text, on: scene.device)
        let wanted = editor.reference.edit(scalars, with: new)
        let time = scene.device.moment(now).uptimeMilliseconds
        guard let after = try carryOut(splice, wanted, text, scene) else { return false }
        let effect = editor.shown.take(scalars, with: new, from: names, to: after.text.document)
        editor.history.note(effect, at: scalars.lowerBound, time: time)
        editor.reference.take(scalars, with: after.own, time: time)
        try see(
            "what an editor shows of its own edit", editor.shown.string, editor.reference.string,
            scene)
        return true
    }

    private func told(_ scalars: Range<Int>?) -> String {
        scalars.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "refused"
    }

    /// Somebody takes an edit back, or makes it again; false when nothing came of it.
    private func take(
        _ direction: TextUndo.Direction, _ editor: inout SimulatedEditor, _ text: SimulatedText,
        _ scene: EditorScene
    ) throws(Violation) -> Bool {
        let wanted = editor.reference.step(direction, in: text.letters)
        let step = editor.history.step(direction, in: text.document)
        try see(
            "the next \(direction)", step == nil ? "none" : "one", wanted == nil ? "none" : "one",
            scene)
        guard let step, let wanted else { return true }
        let names = names(of: text, on: scene.device)
        guard let after = try carryOut(step.splice, wanted.edit, text, scene) else { return false }
        editor.history.finish(step, from: names, to: after.text.document)
        editor.reference.finish(wanted, with: after.own)
        try look(&editor, after.text, scene)
        return true
    }

    private func names(of text: SimulatedText, on device: SimulatedDevice) -> TextNames {
        TextNames(text.document, before: device.replica?.authorID ?? .zero)
    }

    /// Commits an edit; nil when nothing came of it, or the process died.
    private func carryOut(
        _ splice: TextSplice, _ wanted: ReferenceEditor.Edit, _ before: SimulatedText,
        _ scene: EditorScene
    ) throws(Violation) -> (text: SimulatedText, own: [ReferenceText.Letter])? {
        let (device, place) = (scene.device, scene.place)
        let isKnown = wanted.isKnown(in: before.letters)
        let (life, facts) = (device.lives, inspector.catalogue.facts.count)
        let applied = inspector.views[device.index].applied.count
        var outcome: String?
        try commit(
            [Write(place.record, [.splice(field: place.field, splice)])], intent: nil,
            relaxed: false, on: device
        ) { (device, writes, moment) throws(ReplicaError) in
            do throws(ReplicaError) {
                let done = try device.replica?.commit(writes, at: moment)
                outcome = "carried out"
                return done
            } catch {
                guard case .schema = error else { throw error }
                outcome = "refused"
                return nil
            }
        }
        guard let outcome else { return nil }
        try see("an edit", outcome, isKnown ? "carried out" : "refused", scene)
        guard isKnown, device.isRunning, device.lives == life,
            !inspector.views[device.index].isDamaged, let after = text(at: place, on: device)
        else { return nil }
        let own = inspector.catalogue.facts[facts...]
        let new = after.letters.filter { letter in
            own.contains { fact in
                fact.root.chain == letter.id.position.chain && fact.seq == letter.id.position.seq
            }
        }
        // More of a backlog may have come to show in the same call.
        if inspector.views[device.index].applied.count - applied <= own.count {
            try see(
                "the text after an edit", after.document.string,
                wanted.applied(to: before.letters), scene)
        }
        return (after, new)
    }
}
