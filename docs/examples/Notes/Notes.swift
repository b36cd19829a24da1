import Foundation
import Linnet

/// The things that happen to an editor, one after the other.
enum Happening: Sendable { case key(Key), changed(TextChange, OpenText), caret(TextCursor), met }

/// One note that two people type into at the same time, each in a terminal, with both carets.
@main
final class Notes {
    private let (home, screen): (String, Screen)
    private let (happenings, post) = AsyncStream.makeStream(of: Happening.self)
    private var (node, text): (Node, OpenText)
    /// The state of the screen: the text, the last change in it and how many edits were made.
    private var shown = (text: "", change: 0, edits: 0)
    /// Carets name characters, so that they stay there whoever types.
    private var (caret, theirs) = (TextCursor.start, TextCursor?.none)
    private var status = "^N invites, ^L cuts the link, ^Z undoes, ^Y redoes, ^Q quits"

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 2 || words.count == 5 && words[2] == "--join" else {
            print("usage: notes HOME NAME [--join CODE ADDRESS]")
            exit(1)
        }
        let screen = Screen()
        do { try await Notes(words, screen).run() } catch {
            screen.restore()
            FileHandle.standardError.write(Data("notes: \(error)\n".utf8))
            exit(1)
        }
        screen.restore()
    }

    init(_ words: [String], _ screen: Screen) async throws {
        (home, self.screen) = (words[0], screen)
        let note = Collection(
            id: 2_000, name: "note", scope: "notes",
            fields: [Field(id: 1, name: "body", kind: .text)])
        let schema = try Schema(version: 1, collections: [note])
        // A phone and its watch tell each other the newest caret beside the shared data.
        let device: NewDevice =
            words.count == 2
            ? .founding(name: words[1], kind: .phone, schema: schema)
            : .joining(name: words[1], kind: .watch, schema: schema)
        node = try await Node.open(at: home, orCreating: device)
        try await node.start(.loopback)
        if words.count == 5 { status = try await node.join(code: words[3], at: words[4]).name }
        text = try await node.openText("note", "n", "body", in: .characters)
    }

    private func run() async throws {
        screen.readKeys { [post] in post.yield(.key($0)) }
        try await connect()
        try await draw()
        for await happening in happenings {
            switch happening {
            case .key(.quit): return await node.stop()
            case .key(let key): try await press(key)
            case .changed(let change, let from): if from === text { take(change) }
            case .caret(let cursor): theirs = cursor
            case .met: try await moveCaret()
            }
            try await draw()
        }
    }

    private func connect() async throws {
        shown = (await text.string, 0, 0)
        awaitChange()
        let events = await node.companion.events()
        Task { [post] in
            for await event in events {
                guard case .didReceiveApplicationContext(let context) = event else {
                    post.yield(.met)
                    continue
                }
                guard case .text(let word)? = context["caret"] else { continue }
                if let cursor = TextCursor(word) { post.yield(.caret(cursor)) }
            }
        }
        try await node.companion.activate()
    }

    private func awaitChange() {
        Task { [text, post, last = shown.change] in
            if let change = try await text.next(after: last) { post.yield(.changed(change, text)) }
        }
    }

    /// Shows a change, unless more was typed since it was made: then the next one has all of it.
    private func take(_ change: TextChange?, isOwn: Bool = false) {
        if let change, change.base == shown.change, change.edits - (isOwn ? 1 : 0) == shown.edits {
            shown = (change.delta.applied(to: shown.text) ?? "", change.number, change.edits)
        }
        if !isOwn { awaitChange() }
    }

    private func press(_ key: Key) async throws {
        let place = try await text.place(of: caret, after: shown.change)?.offset ?? 0
        switch key {
        case .text(let typed): try await edit(place, typed)
        case .backspace where place > 0: try await edit(place - 1, deleting: 1)
        case .left where place > 0: try await moveCaret(to: place - 1)
        case .right where place < shown.text.count: try await moveCaret(to: place + 1)
        case .undo: take(try await text.undo(after: shown.change), isOwn: true)
        case .redo: take(try await text.redo(after: shown.change), isOwn: true)
        case .invite:
            let invitation = try await node.offerPairing { _ in true }
            status = "on the other device: --join \(invitation.code) \(invitation.address)"
        case .link: try await toggleLink()
        default: break
        }
    }

    private func edit(_ place: Int, deleting: Int = 0, _ typed: String = "") async throws {
        try await text.edit(at: place, deleting: deleting, inserting: typed, after: shown.change)
        let start = shown.text.index(shown.text.startIndex, offsetBy: place)
        let end = shown.text.index(start, offsetBy: deleting)
        shown.text.replaceSubrange(start..<end, with: typed)
        shown.edits += 1
        try await moveCaret(to: place + typed.count)
    }

    /// Moves the caret, if there is a place for it, and tells the other editor.
    private func moveCaret(to place: Int? = nil) async throws {
        if let place { caret = try await text.cursor(at: place, after: shown.change) }
        let there = node.companion
        let (watch, phone) = await (there.isWatchAppInstalled, there.isCompanionAppInstalled)
        guard watch || phone else { return }
        try await there.updateApplicationContext(["caret": .text(caret.description)])
    }

    /// Goes offline, or comes back: only a node that was started meets others.
    private func toggleLink() async throws {
        let isCut = status == "the link is cut"
        status = isCut ? "the link is there" : "the link is cut"
        await node.stop()
        node = try await Node.open(at: home)
        if isCut { try await node.start(.loopback) }
        text = try await node.openText("note", "n", "body", in: .characters)
        try await connect()
    }

    private func draw() async throws {
        var marks = [(try await text.place(of: caret, after: shown.change)?.offset ?? 0, "▌")]
        if let theirs, let place = try await text.place(of: theirs, after: shown.change) {
            marks.append((place.offset, "▏"))
        }
        var parts = shown.text.map(String.init)
        for (place, mark) in marks.sorted(by: { $0.0 > $1.0 }) { parts.insert(mark, at: place) }
        screen.show(status + "\n" + parts.joined())
    }
}
