import Linnet
import LinnetAPI
import LinnetCLI
import LinnetControl
import Testing

struct ArgumentsTests {
    private let options =
        [
            Option("peer", "HOST:PORT", repeats: true, "a peer"), Option("yes", nil, "no question"),
        ] + Option.common

    private func message(_ words: String...) -> String? {
        #expect(throws: ControlFailure.self) { try Arguments(words, options: options) }?.message
    }

    @Test func `options and words are told apart in any order`() throws {
        let arguments = try Arguments(
            ["a", "--home", "/h", "b=c", "--yes", "--peer=x:1", "--peer", "y:2", "--", "--json"],
            options: options)
        #expect(arguments.words == ["a", "b=c", "--json"])
        #expect(arguments.value("home") == "/h")
        #expect(arguments.has("yes"))
        #expect(!arguments.has("json"))
        #expect(arguments.values("peer") == ["x:1", "y:2"])
        #expect(arguments.value("log-level") == nil)
    }

    @Test func `a value may hold an equals sign and begin with dashes after one`() throws {
        #expect(try Arguments(["--home=a=b"], options: options).value("home") == "a=b")
        #expect(try Arguments(["--home=--x"], options: options).value("home") == "--x")
        #expect(try Arguments(["--home", "-x"], options: options).value("home") == "-x")
    }

    @Test func `what is wrong is said exactly`() {
        #expect(message("--hmoe", "x") == "unknown option '--hmoe'; did you mean '--home'?")
        #expect(message("--zzzzzz") == "unknown option '--zzzzzz'")
        #expect(message("--home") == "option '--home' needs a value: --home DIR")
        #expect(message("--home", "--yes") == "option '--home' needs a value: --home DIR")
        #expect(message("--yes=1") == "option '--yes' takes no value")
        #expect(message("--home", "a", "--home", "b") == "option '--home' is given twice")
        #expect(message("-y") == "unknown option '-y': options begin with two dashes")
    }

    @Test func `too few and too many words are named`() throws {
        let arguments = try Arguments(["one", "two"], options: options)
        #expect(try arguments.words("A", "B") == ["one", "two"])
        let few = #expect(throws: ControlFailure.self) { try arguments.words("A", "B", "C") }
        #expect(few == .usage("missing argument C"))
        let many = #expect(throws: ControlFailure.self) { try arguments.words("A") }
        #expect(many == .usage("unexpected argument 'two'"))
    }

    @Test func `near misses are found and far ones are not guessed`() {
        let names = ["status", "set", "sync", "get", "list"]
        #expect(NearMiss.best(for: "stauts", among: names) == "status")
        #expect(NearMiss.best(for: "Synch", among: names) == "sync")
        #expect(NearMiss.best(for: "gte", among: names) == "get")
        #expect(NearMiss.best(for: "frobnicate", among: names) == nil)
        #expect(NearMiss.best(for: "", among: names) == nil)
        #expect(NearMiss.best(for: "x", among: []) == nil)
    }
}
