import Linnet
import LinnetAPI
import LinnetCompanion
import LinnetControl

/// `linnet companion`: sends and shows what a phone and its watch exchange beside the shared data.
enum CompanionCommand {
    static let command = Command(
        "companion", words: "ACTION [NAME=VALUE...]",
        summary: "Messages, contexts, user infos and files between a phone and its watch.",
        details: """
            Actions:
              status                     the state of the link and the budget, what waits and why
              send NAME=VALUE...         a message now; waits for its reply
              context NAME=VALUE...      replace the context that the other side sees
              info NAME=VALUE...         queue a user info: delivered in order and once
              complication NAME=VALUE... queue one for the watch face; from the phone
              face on|off                whether the complication is on the face; on the watch
              file FILE [NAME=VALUE...]  queue a file, which must not change until it has arrived
              cancel ID                  withdraw what was queued
              watch                      be the app: show what arrives, until stopped

            A VALUE is JSON or, if it is not, text. While a command runs it is this device's app: it
            receives and shows what waits for the app. Queued transfers are sent when 'linnet run'
            runs on both devices.
            """,
        options: [
            Option("reply", "JSON", "watch: answer each message with this object"),
            Option("files", "DIR", "watch: put files that arrive into this directory"),
        ],
        preparation: ["init --name Phone --kind phone"],
        example: "companion status", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        var words = invocation.arguments.words[...]
        guard let name = words.popFirst() else {
            throw .usage("missing argument ACTION: see 'linnet companion --help'")
        }
        let request = CompanionRequest(try action(name, Array(words), invocation))
        if case .watch = request.action {
            guard let gateway = try Gateway.running(at: invocation.home) else {
                throw ControlFailure(
                    .unreachable, "no node has this home open: start 'linnet run' first")
            }
            invocation.tell(await gateway.untoldWarnings())
            return try await perform(request, gateway, invocation.output)
        }
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await perform(request, gateway, invocation.output)
        }
    }

    private static func perform(
        _ request: CompanionRequest, _ gateway: Gateway, _ output: Output
    ) async throws(ControlFailure) {
        try await gateway.converse(request) { (line) throws(ControlFailure) in
            try show(line.json, output)
            return nil
        }
    }

    private static func action(
        _ action: String, _ words: [String], _ invocation: Invocation
    ) throws(ControlFailure) -> CompanionAction {
        let given = invocation.arguments
        for name in ["reply", "files"] where given.has(name) && action != "watch" {
            throw .usage("--\(name) does not belong to 'companion \(action)'")
        }
        switch action {
        case "status", "watch":
            if let word = words.first { throw .usage("unexpected argument '\(word)'") }
            if action == "status" { return .status }
            return .watch(
                reply: try given.value("reply").map { (text) throws(ControlFailure) in
                    try Payload.encoding(try PropertyDictionary(json: text))
                },
                directory: given.value("files").map { FilePath.absolute($0) })
        case "send": return .send(try payload(words))
        case "context": return .context(try payload(words))
        case "info": return .info(try payload(words))
        case "complication": return .complication(try payload(words))
        case "face":
            guard words == ["on"] || words == ["off"] else {
                throw .usage("say 'face on' or 'face off'")
            }
            return .face(isOn: words == ["on"])
        case "file":
            guard let path = words.first else { throw .usage("missing argument FILE") }
            return .file(
                path: FilePath.absolute(path),
                metadata: try payload(Array(words.dropFirst()), isEmpty: true)
            )
        case "cancel":
            guard words.count == 1 else { throw .usage("missing argument ID") }
            return .cancel(words[0])
        default:
            throw .usage(
                "there is no action '\(TerminalText.neutral(action))'; see "
                    + "'linnet companion --help'")
        }
    }

    private static func payload(
        _ words: [String], isEmpty: Bool = false
    ) throws(ControlFailure) -> [UInt8] {
        if words.isEmpty, !isEmpty { throw .usage("missing argument NAME=VALUE") }
        var dictionary = PropertyDictionary()
        for word in words {
            guard let index = word.firstIndex(of: "="), index > word.startIndex else {
                throw .usage("'\(TerminalText.neutral(word))' is not NAME=VALUE")
            }
            let name = String(word[..<index])
            guard dictionary[name] == nil else {
                throw .usage("the name '\(TerminalText.neutral(name))' is given twice")
            }
            let text = String(word[word.index(after: index)...])
            dictionary[name] = try PropertyValue(word: text)
        }
        return try Payload.encoding(dictionary)
    }

    private static func show(_ line: String, _ output: Output) throws(ControlFailure) {
        guard let json = try? JSONReader.read(Array(line.utf8)), case .object(let members) = json
        else { throw .failed("the node's answer is not JSON") }
        output.result(json, text(json["event"]?.string ?? "", members))
    }

    private static func text(_ event: String, _ members: [JSON.Member]) -> String {
        let rest = members.filter { $0.name != "event" && $0.value != .null }
        if event == "status" {
            return rest.map { "\($0.name): \(plain($0.value))" }.joined(separator: "\n")
        }
        return ([event] + rest.map { "\($0.name) \(plain($0.value))" }).joined(separator: "  ")
    }

    private static func plain(_ value: JSON) -> String {
        if case .text(let text) = value { TerminalText.neutral(text) } else { value.line }
    }
}

extension Payload {
    fileprivate static func encoding(
        _ dictionary: PropertyDictionary
    ) throws(ControlFailure) -> [UInt8] {
        do throws(CompanionError) {
            return try encode(dictionary, max: contextBytes)
        } catch {
            throw .usage("that is more than the lane takes, or nested too deeply")
        }
    }
}

extension PropertyDictionary {
    fileprivate init(json text: String) throws(ControlFailure) {
        guard let json = try? JSONReader.read(Array(text.utf8)), case .object(let members) = json
        else { throw .usage("'\(TerminalText.neutral(text))' is not a JSON object") }
        self = try PropertyDictionary(members)
    }

    fileprivate init(_ members: [JSON.Member]) throws(ControlFailure) {
        self.init()
        for member in members { self[member.name] = try PropertyValue(member.value) }
    }
}

extension PropertyValue {
    fileprivate init(word: String) throws(ControlFailure) {
        if let json = try? JSONReader.read(Array(word.utf8)) {
            self = try PropertyValue(json)
        } else {
            self = .text(word)
        }
    }

    fileprivate init(_ json: JSON) throws(ControlFailure) {
        switch json {
        case .null: throw .usage("property lists have no null")
        case .bool(let value): self = .bool(value)
        case .number(let digits):
            if let value = Int64(digits) {
                self = .int(value)
            } else if let value = Double(digits), value.isFinite {
                self = .real(value)
            } else {
                throw .usage("\(digits) is too large")
            }
        case .text(let text): self = .text(text)
        case .array(let values):
            var array: [PropertyValue] = []
            for value in values { array.append(try PropertyValue(value)) }
            self = .array(array)
        case .object(let members): self = .dictionary(try PropertyDictionary(members))
        }
    }
}
