import LinnetCRDT
public import LinnetCard
import LinnetReplication
import LinnetSystem
import LinnetWire

extension Node {
    /// Signs an emergency card of what this device shows now: it can be sealed and shown to people
    /// who have none of the group's devices. Nothing is written, and nobody is told.
    ///
    /// A card cannot be taken back: whoever has seen it has what it says.
    ///
    /// - Parameters:
    ///   - scopes: the names of the scopes to show; of a divided one all parts, or one part by its
    ///     name. Without names, all scopes that every device holds.
    ///   - title: a line that says whose card it is, at most 256 bytes.
    ///   - days: the days for which it is to be relied on, from 1 to 366.
    public func card(
        scopes: [String]? = nil, title: String = "", days: Int = 7
    ) throws(LinnetError) -> EmergencyCard {
        try running()
        if let ownRemoval { throw ownRemoval }
        guard let group = replica?.groupID else {
            if replica == nil { throw absence }
            throw .notAMember
        }
        if awaitsSchema { throw .schemaUnknown }
        let names = OrderedSet(scopes ?? Self.scopesOfAll(in: schema)).elements
        var room = Limits.cardBytes
        var shown: [EmergencyCard.Scope] = []
        for name in names {
            try requireWhole(name)
            shown.append(try cardScope(name, &room))
        }
        do throws(CardError) {
            let content = try CardContent(
                group: group, device: device, title: title,
                issuedMilliseconds: SystemClock.now().wallMilliseconds, days: days, scopes: shown)
            let inner = content.encoded
            guard let signature = replica?.signature(ofCard: inner) else { throw .damaged }
            return try EmergencyCard(inner, signature: signature)
        } catch {
            throw .card(error)
        }
    }

    private static func scopesOfAll(in schema: Schema) -> [String] {
        schema.collections.filter { $0.scope.isAlways && $0 != Schema.devices }.map(\.scope.name)
    }

    /// Throws unless a scope is there and known to be held whole: what is not held would look as if
    /// there were none.
    private func requireWhole(_ name: String) throws(LinnetError) {
        let rules = schema.collections.map(\.scope).filter { $0.name == name || $0.covers(name) }
        guard !rules.isEmpty else { throw .scope(.unknown(name)) }
        let held = try reading { (replica) throws(ReplicaError) in replica.heldScopes }
        let isWhole = rules.allSatisfy { rule in
            if rule.isAlways { return held.isInStep }
            guard held.isEverything else { return held.names.contains(name) }
            return !held.names.contains { $0 == name || rule.name == name && rule.covers($0) }
        }
        guard isWhole else { throw .scope(.incomplete(name)) }
    }

    private func cardScope(
        _ name: String, _ room: inout Int
    ) throws(LinnetError) -> EmergencyCard.Scope {
        var sections: [EmergencyCard.Section] = []
        for collection in schema.collections
        where collection.scope.name == name || collection.scope.covers(name) {
            var entries: [EmergencyCard.Entry] = []
            var rest = CollectionReading(collection.id)
            while !rest.isDone {
                let next = try controlRecords(rest)
                rest = next.rest
                for view in next.page where Self.shows(view, of: collection, in: name) {
                    let entry = EmergencyCard.Entry(view, of: collection)
                    room -= entry.textBytes
                    guard room > 0 else { throw .card(.tooLarge) }
                    entries.append(entry)
                }
            }
            if !entries.isEmpty {
                sections.append(EmergencyCard.Section(name: collection.name, entries: entries))
            }
        }
        return EmergencyCard.Scope(name: name, sections: sections)
    }

    private static func shows(
        _ view: RecordView, of collection: Collection, in scope: String
    ) -> Bool {
        let isInside =
            collection.scope.name == scope || collection.scope.scope(of: view.id) == scope
        return isInside && view.standing == .attached
    }
}

extension EmergencyCard.Entry {
    /// A record as commands print it. Places within an order mean nothing to a reader.
    init(_ view: RecordView, of collection: Collection) {
        var fields: [EmergencyCard.Field] = []
        for shown in view.fields {
            guard let field = collection.field(id: shown.field), field.kind.form != .place else {
                continue
            }
            let separator = view.conflicts.contains(field.id) ? " | " : ", "
            for (member, value) in zip(field.members, shown.values) where value != .null {
                fields.append(EmergencyCard.Field(name: member.name, text: value.text(separator)))
            }
        }
        self.init(id: view.id.description, fields: fields)
    }

    /// The bytes of its texts, which its encoding exceeds.
    var textBytes: Int {
        fields.reduce(id.utf8.count) { $0 + $1.name.utf8.count + $1.text.utf8.count }
    }
}

extension Value {
    fileprivate func text(_ separator: String) -> String {
        guard case .list(let values) = self else { return description }
        return values.map(\.description).joined(separator: separator)
    }
}
