import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet schema`: shows, checks, upgrades and publishes the collections of a home.
enum SchemaCommand {
    private static let actions = ["show", "check", "set", "publish"]

    static let command = Command(
        "schema", words: "show | check FILE | set FILE | publish",
        summary: "Show the collections of a home, check a schema file, or upgrade to one.",
        details: """
            A schema file declares collections in JSON, so that an application needs no program of
            its own; 'linnet init --schema FILE' begins with one. 'check' says what is wrong with a
            file and, against the home or another file, what a change would break. 'set' upgrades
            this home. Numbers, kinds, types, scopes and the meaning of a delete never change; new
            collections and fields are harmless. A new field with "copyFrom": N takes over what the
            field N holds. The group carries the schemas that its devices declare: a device that
            declares none uses them, and schemas declared apart are joined. 'set' and 'init' publish
            a schema, as does the first 'run' of a home that has not done so; 'publish' does it at
            once.
            """,
        options: [
            Option("against", "FILE|home", "for check: the schema that the file would replace")
        ],
        example: "schema show", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let action = words.first else {
            throw .usage("missing argument: show, check FILE, set FILE or publish")
        }
        guard actions.contains(action) else {
            let hint = NearMiss.best(for: action, among: actions).map { "; did you mean '\($0)'?" }
            throw .usage(
                "there is no 'schema \(TerminalText.neutral(action))'"
                    + (hint ?? "; there are \(actions.joined(separator: ", "))"))
        }
        if action != "check" && invocation.arguments.has("against") {
            throw .usage("--against belongs to 'schema check'")
        }
        switch action {
        case "show":
            _ = try invocation.arguments.words("show")
            let file = try await invocation.withGateway { (gateway) throws(ControlFailure) in
                try await gateway.schemaFile()
            }
            invocation.output.result(file.json, SchemaPrint.text(file))
        case "publish":
            _ = try invocation.arguments.words("publish")
            try await publish(invocation)
        case "check":
            try await check(try invocation.arguments.words("check", "FILE")[1], invocation)
        default:
            try await set(try invocation.arguments.words("set", "FILE")[1], invocation)
        }
    }

    /// Reads a schema file; the failure names the faulty line.
    static func read(_ path: String) throws(ControlFailure) -> SchemaFile {
        let bytes = try FileText.read(path)
        do throws(SchemaFile.Failure) {
            return try SchemaFile(reading: bytes)
        } catch {
            throw .failed("\(TerminalText.neutral(path)), \(error.description)")
        }
    }

    private static func check(_ path: String, _ invocation: Invocation) async throws(ControlFailure)
    {
        let file = try read(path)
        var change: SchemaChange?
        if let other = invocation.arguments.value("against") {
            let old =
                other == "home"
                ? try await invocation.withGateway { (gateway) throws(ControlFailure) in
                    try await gateway.schemaFile()
                } : try read(other)
            change = SchemaChange(from: old.schema, to: file.schema)
        }
        let problems = change?.problems ?? []
        let notes = change?.notes ?? []
        let shown = TerminalText.neutral(path)
        invocation.output.result(
            [
                "file": .text(path), "version": .integer(file.schema.version),
                "collections": .integer(file.schema.collections.count),
                "problems": .array(problems.map(JSON.text)),
                "notes": .array(notes.map(JSON.text)),
            ],
            (notes.map { "note: \(TerminalText.neutral($0))" }
                + (problems.isEmpty ? ["\(shown) is good"] : [])).joined(separator: "\n"))
        try refuse(problems, shown)
    }

    private static func set(_ path: String, _ invocation: Invocation) async throws(ControlFailure) {
        let file = try read(path)
        let old = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            if gateway.isRemote {
                throw ControlFailure.failed(
                    "'linnet run' has this home open: stop it, upgrade, and start it again")
            }
            return try await gateway.schemaFile()
        }
        let change = SchemaChange(from: old.schema, to: file.schema)
        try refuse(change.problems, TerminalText.neutral(path))
        let node = try await invocation.openNode(file)
        await node.stop()
        // The new schema is in memory alone while the home takes no writes.
        if let reason = await node.refusesWrites { throw ControlFailure(reason) }
        let copied = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await SchemaCopies.carryOut(file, gateway)
        }
        invocation.output.result(
            [
                "version": .integer(file.schema.version),
                "notes": .array(change.notes.map(JSON.text)), "copied": .integer(copied),
            ],
            (change.notes.map(TerminalText.neutral)
                + (copied > 0 ? ["\(copied) values were copied into new fields"] : [])
                + ["This home has version \(file.schema.version) of its schema now."])
                .joined(separator: "\n"))
    }

    private static func publish(_ invocation: Invocation) async throws(ControlFailure) {
        var published = false
        // A node that runs published the schema when it started.
        if try Gateway.running(at: invocation.home) == nil {
            let node = try await invocation.openNode()
            do throws(LinnetError) {
                guard !node.awaitsSchema else { throw .schemaUnknown }
                published = try await node.publishSchema()
            } catch {
                await node.stop()
                throw ControlFailure(error)
            }
            await node.stop()
        }
        invocation.output.result(
            ["published": .bool(published)],
            published
                ? "The group carries this home's schema now; others get it with the next exchange."
                : "The group carries this home's schema already.")
    }

    private static func refuse(_ problems: [String], _ path: String) throws(ControlFailure) {
        if problems.isEmpty { return }
        let lines = problems.map { "\n  " + TerminalText.neutral($0) }.joined()
        throw .failed("\(path) would break what devices hold:\(lines)")
    }
}
