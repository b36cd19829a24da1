import Foundation
import Testing

/// Two people type into one note, each in a terminal.
@Suite(.timeLimit(.minutes(5)))
struct NotesTests {
    private static let (left, undo, invite) = ("\u{1b}[D", "\u{1a}", "\u{e}")
    private static let (link, quit) = ("\u{c}", "\u{11}")

    private func text(_ screen: String) -> String {
        screen.components(separatedBy: "\r\n").dropFirst().joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }

    @Test func `two type while the link is cut, and each caret stays at its character`() throws {
        let folder = try ScratchFolder()
        let ada = try TerminalProcess("Notes", ["\(folder.path)/ada", "Ada"])
        try ada.wait(for: "^N invites")
        ada.press("tea and milk")
        try ada.wait(for: "tea and milk▌")
        ada.press(Self.invite)
        let words = try ada.wait(for: "--join").components(separatedBy: "\r\n")[0]
            .split(separator: " ").map(String.init)
        let ben = try TerminalProcess(
            "Notes", ["\(folder.path)/ben", "Ben"] + words.suffix(3))
        try ben.wait(for: "▌tea and milk")
        // Ben sees Ada's caret once she moves it.
        ada.press(Self.left)
        try ben.wait(for: "▌tea and mil▏k")
        ben.press(Self.link)
        try ben.wait(for: "the link is cut")

        // Apart, Ada goes before "milk" and Ben writes at the start.
        ada.press(String(repeating: Self.left, count: 3))
        try ada.wait(for: "tea and ▌milk")
        ada.press("oat ")
        try ada.wait(for: "tea and oat ▌milk")
        ben.press("green ")
        // Ada's caret stands where it was when the link was cut.
        try ben.wait(for: "green ▌tea and mil▏k")

        // Together again, both show both, and each caret is at its character.
        ben.press(Self.link)
        #expect(try text(ben.wait(for: "oat ▏milk")) == "green ▌tea and oat ▏milk")
        #expect(try text(ada.wait(for: "oat ▌milk")).hasSuffix("tea and oat ▌milk"))
        try ada.wait(for: "green ▏tea and oat ▌milk")

        // What Ben takes back is his; Ada's words stay.
        ben.press("x")
        try ada.wait(for: "green x▏tea")
        ben.press(Self.undo)
        try ada.wait(for: "green ▏tea and oat ▌milk")
        for person in [ada, ben] {
            person.press(Self.quit)
            #expect(person.finish() == 0)
        }
    }

    @Test func `a call without a home tells how to call it`() throws {
        let notes = try TerminalProcess("Notes", [])
        try notes.wait(for: "usage: notes HOME NAME [--join CODE ADDRESS]")
        #expect(notes.finish() == 1)
    }
}
