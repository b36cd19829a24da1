import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

/// `linnet init`: makes a new device, which founds a group.
enum InitCommand {
    static let command = Command(
        "init", summary: "Make a new device and found a group with it.",
        details: "The keys are kept in the home directory, readable by you alone. Anyone who gets "
            + "the disk\nhas them too, unless the disk is encrypted. With --passphrase-file they "
            + "are\nprotected by that passphrase from the beginning.",
        options: [
            DeviceOptions.name, DeviceOptions.kind,
            DeviceOptions.schema("the collections; the demonstration's if not given"),
        ],
        example: "init --name Laptop --kind laptop", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let (name, kind) = try DeviceOptions.read(invocation.arguments)
        let schema = try DeviceOptions.schemaFile(invocation.arguments)
        let passphrase = try DeviceOptions.passphrase(invocation.arguments)
        let node: Node
        do throws(LinnetError) {
            node = try await Node.create(
                at: invocation.home, name: name, kind: kind, founding: true,
                schemaFile: schema ?? SchemaFile(.demonstration), passphrase: passphrase)
        } catch {
            throw ControlFailure(error)
        }
        let words = node.fingerprint
        await node.stop()
        invocation.output.result(
            [
                "device": .text(node.id), "name": .text(name), "kind": .text(kind.rawValue),
                "fingerprint": .array(words.map(JSON.text)), "home": .text(invocation.home),
                "passphrase": .bool(passphrase != nil),
            ],
            """
            \(TerminalText.neutral(name)) is a device of a new group.
            Its fingerprint: \(words.joined(separator: " "))
            \(passphrase == nil ? "" : "Its key file asks for the passphrase.\n")\
            Next: 'linnet pair' here and 'linnet join' on another device, or 'linnet run'.
            """)
    }
}

/// The options that describe a new device.
enum DeviceOptions {
    static let name = Option("name", "NAME", "what you call the device")
    static let kind = Option("kind", "KIND", "phone, watch, laptop, hub or other")

    static func schema(_ help: String) -> Option { Option("schema", "FILE", help) }

    static func schemaFile(_ arguments: Arguments) throws(ControlFailure) -> SchemaFile? {
        guard let path = arguments.value("schema") else { return nil }
        return try SchemaCommand.read(path)
    }

    /// Reads the passphrase that the new key file shall ask for; nil when none is given.
    static func passphrase(_ arguments: Arguments) throws(ControlFailure) -> Passphrase? {
        guard let path = arguments.value(Option.passphraseFile.name) else { return nil }
        return try PassphraseInput.read(file: path)
    }

    static func read(
        _ arguments: Arguments
    ) throws(ControlFailure) -> (name: String, kind: DeviceKind) {
        guard let name = arguments.value("name") else {
            throw .usage("option '--name' is missing: --name NAME")
        }
        try check(name)
        guard let text = arguments.value("kind") else {
            throw .usage("option '--kind' is missing: --kind phone|watch|laptop|hub|other")
        }
        guard let kind = DeviceKind(rawValue: text) else {
            let names = DeviceKind.allCases.map(\.rawValue)
            let hint = NearMiss.best(for: text, among: names).map { "; did you mean '\($0)'?" }
            throw .usage("--kind must be one of \(names.joined(separator: ", "))" + (hint ?? ""))
        }
        return (name, kind)
    }

    static func check(_ name: String) throws(ControlFailure) {
        if name.isEmpty || name.utf8.count > 64 {
            throw .usage("a device's name must have 1 to 64 bytes")
        }
        if TerminalText.isUnsafe(name) {
            throw .usage("a device's name must not contain control or invisible characters")
        }
        if name.allSatisfy(\.isWhitespace) {
            throw .usage("a device's name must not consist of spaces alone")
        }
    }
}
