import Linnet
import LinnetAPI
import LinnetControl

/// Tells shells the values that may stand where somebody types.
///
/// It asks the node that runs, through its socket, and never opens a home: a person who presses a
/// key has asked for nothing that takes long, or that writes.
struct Completer {
    /// The answer to a shell.
    enum Answer: Equatable {
        /// These values begin as what is typed.
        case values([String])
        /// The names of files, which the shell knows better.
        case files
        /// The names of directories.
        case directories

        /// The lines that the scripts of the shells read.
        var lines: String {
            switch self {
            case .values(let values): (["values"] + values).joined(separator: "\n") + "\n"
            case .files: "files\n"
            case .directories: "directories\n"
            }
        }
    }

    private let call: UnfinishedCall
    private let home: String

    /// Reads the words of a line, the program's name left out and the unfinished one at the end.
    init(_ line: [String], home: String) {
        call = UnfinishedCall(line)
        self.home = call.home.map(Self.expanded) ?? home
    }

    /// Returns what may stand there.
    func answer() async -> Answer {
        switch call.place {
        case .command: return values(CommandTable.all.map(\.name))
        case .unknown: return .values([])
        case .value(let option): return await answer(to: [Self.element(of: option)])
        case .word:
            guard let command = call.command else { return .values([]) }
            return await answer(to: Self.elements(of: command, after: call.words))
        }
    }

    private func answer(to elements: [WordPattern.Element]) async -> Answer {
        var found: [String] = []
        for element in elements {
            switch element {
            case .literals(let words): found += words
            case .named("FILE"), .named("FILE|home"), .named("FILE..."): return .files
            case .named("DIR"), .named("HOME"): return .directories
            case .named("ZONE"): found += ZoneFiles.names(beginningWith: call.current)
            case .named("COMMAND"): found += CommandTable.all.map(\.name)
            case .named("KIND"): found += DeviceKind.allCases.map(\.rawValue)
            case .named("SHELL"): found += Completions.allCases.map(\.rawValue)
            case .named(let name): found += await known(name)
            }
        }
        return values(found)
    }

    /// Returns what the running node knows; nothing where none runs, it is locked, or it is busy.
    private func known(_ name: String) async -> [String] {
        do throws(ControlFailure) {
            guard let gateway = try Gateway.running(at: home) else { return [] }
            let facts = CompletionFacts(gateway)
            return switch name {
            case "C": try await facts.collections()
            case "C/ID": try await facts.records(beginningWith: call.current)
            case "FIELD", "FIELDS", "FIELD=VALUE…":
                try await facts.fields(of: call.words.first ?? "", areSet: name != "FIELD")
            case "DEVICE", "DEVICES": try await facts.devices()
            case "MEDICATION": try await facts.medicines()
            default: []
            }
        } catch {
            // A shell has no place for a reason; the command itself will give it.
            return []
        }
    }

    /// Leaves out what another device may have written to do harm: no name with a character that a
    /// terminal might obey.
    private func values(_ found: [String]) -> Answer {
        var seen: Set<String> = []
        return .values(
            found.filter { value in
                value.hasPrefix(call.current) && !value.isEmpty && !TerminalText.isUnsafe(value)
                    && seen.insert(value).inserted
            })
    }

    private static func element(of option: Option) -> WordPattern.Element {
        WordPattern(option.value ?? "").next(after: []).first ?? .literals([])
    }

    private static func elements(
        of command: Command, after words: [String]
    ) -> [WordPattern.Element] {
        guard command.name == MedCommand.command.name else {
            return WordPattern(command.words).next(after: words)
        }
        guard let name = words.first else {
            return [.literals(MedCommand.actions.map(\.name))]
        }
        let action = MedCommand.actions.first { $0.name == name }
        return action.map { WordPattern($0.words).next(after: words.dropFirst()) } ?? []
    }

    /// A shell hands over a word as it was typed.
    private static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let user = Environment.value("HOME") else { return path }
        return user + path.dropFirst()
    }
}
