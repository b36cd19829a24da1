import Linnet
import LinnetControl

/// `linnet rename`: gives this device another name.
enum RenameCommand {
    static let command = Command(
        "rename", words: "NAME", summary: "Give this device another name.",
        example: "rename 'Kitchen tablet'", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("NAME")
        try DeviceOptions.check(words[0])
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try WriteReport.check(try await gateway.ask(RenameRequest(words[0])))
        }
        invocation.output.result(
            ["name": .text(words[0])], "This device is called \(words[0]) now.")
    }
}
