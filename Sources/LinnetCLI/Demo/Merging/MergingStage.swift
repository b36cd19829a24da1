import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// Two real nodes of this process with one record, whose link is cut and joined by hand.
///
/// Nothing but the link is simulated: both have homes of their own, and what they exchange is
/// encrypted and signed as over any network.
final actor MergingStage {
    /// The record that both change.
    static let place = (collection: "medicine", record: "metformin")

    /// The phone and the laptop.
    nonisolated let nodes: [Node]
    private var link: (CuttableCarrier, CuttableCarrier)?
    /// The record as each device showed it when the link was cut last.
    private var before: [JSON] = []
    private var cutMilliseconds: Int64?
    private var joinedMilliseconds: Int64?

    private init(_ nodes: [Node]) { self.nodes = nodes }

    /// Makes both devices below a directory, pairs them, writes the record and joins them.
    static func open(in directory: String) async throws(ControlFailure) -> MergingStage {
        do throws(LinnetError) {
            try await found(in: directory)
            var nodes: [Node] = []
            for name in ["phone", "laptop"] {
                let node = try await Node.open(at: "\(directory)/\(name)")
                // Nothing but the link that is cut leads from one to the other.
                try await node.start(NodeOptions(discovery: .off, usesNetwork: false))
                nodes.append(node)
            }
            let stage = MergingStage(nodes)
            try await stage.join()
            return stage
        } catch {
            throw ControlFailure(error)
        }
    }

    /// Makes the group of both, with the record.
    private static func found(in directory: String) async throws(LinnetError) {
        let schema: Schema
        do throws(SchemaError) {
            schema = try .merging()
        } catch {
            throw .schema(error)
        }
        let phone = try await Node.create(
            at: "\(directory)/phone", name: "Phone", kind: .phone, schema: schema)
        let laptop = try await Node.createToJoin(
            at: "\(directory)/laptop", name: "Laptop", kind: .laptop, schema: schema)
        for node in [phone, laptop] { try await node.start(.loopback) }
        let invitation = try await phone.offerPairing { _ in true }
        try await laptop.join(code: invitation.code, at: invitation.address)
        try await phone.commit(first)
        try await phone.sync()
        for node in [laptop, phone] { await node.stop() }
    }

    /// The record as it is at the beginning.
    private static var first: Transaction {
        let (collection, record) = place
        var transaction = Transaction()
        transaction.set(
            collection, record,
            [
                "name": "Metformin", "dosage.amount": 500, "dosage.unit": "mg",
                "prescriber": "Dr Ada", "strongest": 500,
            ])
        transaction.recount(collection, record, "stock", to: 30)
        transaction.add(collection, record, "tags", "diabetes")
        transaction.rewrite(collection, record, "instructions", "Take with water.")
        return transaction
    }

    /// Joins the devices and waits until both hold the same.
    func join() async throws(LinnetError) {
        guard link == nil else { return }
        let made = CuttableCarrier.pair()
        link = made
        do throws(LinnetError) {
            try await nodes[0].attach(made.0, isInitiator: true)
            try await nodes[1].attach(made.1, isInitiator: false)
            for node in nodes { try await node.sync() }
        } catch {
            link = nil
            made.0.cut()
            made.1.cut()
            throw error
        }
        joinedMilliseconds = SystemClock.now().wallMilliseconds
    }

    /// Cuts the link, once both hold the same.
    func cut() async throws(ControlFailure) {
        guard let made = link else { return }
        do throws(LinnetError) {
            for node in nodes { try await node.sync() }
        } catch {
            throw ControlFailure(error)
        }
        var shown: [JSON] = []
        for side in nodes.indices { shown.append(try await record(side)) }
        // Another request may have cut it meanwhile.
        guard link != nil else { return }
        link = nil
        before = shown
        cutMilliseconds = SystemClock.now().wallMilliseconds
        made.0.cut()
        made.1.cut()
    }

    /// Stops both devices.
    func close() async {
        for node in nodes { await node.stop() }
    }

    /// The devices and their link as an object.
    func json() async throws(ControlFailure) -> JSON {
        var devices: [JSON] = []
        for (side, node) in nodes.enumerated() {
            let gateway = Gateway(of: node)
            let identity = try await gateway.ask(IdentityRequest())
            devices.append([
                "side": .integer(side), "device": .text(identity.device.description),
                "name": .text(identity.name), "kind": .text(identity.kind),
                "digest": .text(try await gateway.ask(DigestRequest()).digest.description),
            ])
        }
        return [
            "linked": .bool(link != nil), "collection": .text(Self.place.collection),
            "record": .text(Self.place.record), "devices": .array(devices),
            "before": .array(before),
            "cutMilliseconds": cutMilliseconds.map(JSON.integer) ?? .null,
            "joinedMilliseconds": joinedMilliseconds.map(JSON.integer) ?? .null,
        ]
    }

    /// Carries a verb out on one of the devices.
    nonisolated func carryOut(
        _ verb: String, _ members: JSON, on side: Int
    ) async throws(ControlFailure) -> JSON {
        try await Verb.named(verb).run(
            try Verb.Call(Gateway(of: nodes[side]), try VerbMembers(members)))
    }

    private func record(_ side: Int) async throws(ControlFailure) -> JSON {
        let members: JSON = [
            "collection": .text(Self.place.collection), "record": .text(Self.place.record),
            "digits": "text",
        ]
        return try await carryOut("get", members, on: side)["record"] ?? .null
    }
}
