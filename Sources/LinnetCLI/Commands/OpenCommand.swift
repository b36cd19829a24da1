import Linnet
import LinnetAPI
import LinnetControl

/// `linnet open`: shows the content of a file that a field holds in another program.
enum OpenCommand {
    static let command = Command(
        "open", words: "C/ID FIELD",
        summary: "Show a file that a record holds in the program that the desktop has for it.",
        details: """
            The content comes as with 'linnet fetch'. The program gets a copy that is not sealed, in
            a new directory of $XDG_RUNTIME_DIR, which the system empties when you log out, or else
            of /tmp, where it stays until you remove it. What you change in the copy is not in the
            record: attach it anew.
            """,
        options: [
            Option("with", "PROGRAM", "the program to start, in place of the desktop's")
        ] + FetchCommand.meeting,
        preparation: Command.album + [
            "attach picture/tea image docs/samples/album.json"
        ],
        example: "open picture/tea image --with less", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let program = try program(invocation.arguments.value("with"))
        let runtime = Environment.value("XDG_RUNTIME_DIR") ?? ""
        let place = runtime.isEmpty ? "/tmp" : runtime
        let directory = try TemporaryDirectory("linnet-open", in: place)
        let file: ControlAttachment
        do throws(ControlFailure) {
            file = try await FetchCommand.fetch(into: directory.path + "/", invocation)
            _ = try ChildProcess(
                [program, file.path], environment: [], output: "/dev/null", error: "/dev/null")
        } catch {
            directory.remove()
            throw error
        }
        let end = runtime.isEmpty ? "until you remove it" : "until you log out"
        invocation.output.result(
            ["file": .text(file.path), "name": .text(file.name), "program": .text(program)],
            "Started \(program) with \(TerminalText.neutral(file.name)). A copy that is not sealed"
                + " lies at \(TerminalText.neutral(file.path)) \(end).")
    }

    private static func program(_ chosen: String?) throws(ControlFailure) -> String {
        if let chosen {
            guard let path = ProgramPath.find(chosen) else {
                throw .failed("there is no program '\(TerminalText.neutral(chosen))'")
            }
            return path
        }
        #if canImport(Darwin)
            let usual = "open"
        #else
            let usual = "xdg-open"
        #endif
        guard let path = ProgramPath.find(usual) else {
            throw .failed(
                "there is no \(usual) that knows the desktop's programs: name one with --with, or"
                    + " write the file with 'linnet fetch'")
        }
        return path
    }
}
