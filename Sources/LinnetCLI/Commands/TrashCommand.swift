import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetWire

/// `linnet trash`: shows the deleted records.
enum TrashCommand {
    static let command = Command(
        "trash", words: "[C]",
        summary: "Show deleted records: when, by whom, and what was edited after.",
        details: "'linnet undelete C/ID' brings one back.",
        example: "trash medication", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
        try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            guard let name = words.first else {
                return schema.collections.filter { $0.kind == .records }
            }
            return [try Column.collection(named: name, in: schema)]
        } _: { (gateway, collections) throws(ControlFailure) in
            var isEmpty = true
            for collection in collections {
                for deleted in try await gateway.trash(of: collection) {
                    isEmpty = false
                    show(deleted, collection, invocation.output)
                }
            }
            if isEmpty { invocation.output.note("the trash is empty", .info) }
        }
    }

    private static func show(
        _ deleted: ControlTrash, _ collection: Collection, _ output: Output
    ) {
        let names = deleted.editedAfter.compactMap { collection.field(id: $0)?.name }
        let time = TimeText.instant(deleted.deletedMilliseconds)
        let device = TimeText.device(deleted.deviceName, deleted.device?.description)
        var text = "\(collection.name)/" + RecordText.summary(deleted.record, collection)
        text += "\n  deleted \(time) by \(device)"
        if !names.isEmpty { text += "; edited after deletion: \(names.joined(separator: ", "))" }
        output.result(TrashText.json(deleted, collection), text)
    }
}

/// `linnet undelete`: brings a deleted record back.
enum UndeleteCommand {
    static let command = Command(
        "undelete", words: "C/ID", summary: "Bring a deleted record back.",
        details: "It comes back as it was, with what others wrote before they knew of it.",
        options: [Intent.option],
        preparation: Command.sample + ["delete medication/m1"],
        example: "undelete medication/m1", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID")
        let intent = try Intent.read(invocation.arguments)
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try RecordPath(writable: words[0], schema)
        } _: { (gateway, place) throws(ControlFailure) in
            if intent == nil {
                let deleted = try await gateway.trash(of: place.collection)
                guard deleted.contains(where: { $0.record.id == place.id }) else {
                    throw ControlFailure.failed(
                        "\(place.text) is not in the trash; see 'linnet trash"
                            + " \(place.collection.name)'")
                }
            }
            let write = Write(place.key, [.restore])
            return (try await gateway.write([write], intent: intent), place)
        }
        try WriteReport.tell(
            receipt, of: place, done: "Back again", idle: "is not in the trash",
            invocation.output)
    }
}
