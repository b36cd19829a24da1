package import LinnetWire

extension BatchAttributes {
    private enum Key: UInt64 {
        case commit = 0
        case part = 1
        case parts = 2
        case intent = 3
        case schemaVersion = 4
        case baseStamp = 5
        case authors = 6
        case dependencies = 7
        case partScopes = 8
    }

    static let lastKnownKey = Key.partScopes.rawValue

    /// Appends the attribute map and leaves out what is empty.
    package func write(to writer: inout CBORWriter) {
        let optional = [
            intent != nil, !authors.isEmpty, !dependencies.isEmpty, !partScopes.isEmpty,
        ]
        writer.map((isAlone ? 2 : 5) + optional.count { $0 } + unknown.count)
        if !isAlone {
            writer.unsigned(Key.commit.rawValue)
            writer.bytes(commit)
            writer.unsigned(Key.part.rawValue)
            writer.unsigned(UInt64(part))
            writer.unsigned(Key.parts.rawValue)
            writer.unsigned(UInt64(parts))
        }
        if let intent {
            writer.unsigned(Key.intent.rawValue)
            writer.bytes(intent)
        }
        writer.unsigned(Key.schemaVersion.rawValue)
        writer.unsigned(UInt64(schemaVersion))
        writer.unsigned(Key.baseStamp.rawValue)
        writer.signed(baseStamp.rawValue)
        writeAuthors(to: &writer)
        writeDependencies(to: &writer)
        writePartScopes(to: &writer)
        for attribute in unknown {
            writer.unsigned(attribute.key)
            writer.raw(attribute.item)
        }
    }

    private func writeAuthors(to writer: inout CBORWriter) {
        if authors.isEmpty { return }
        writer.unsigned(Key.authors.rawValue)
        writer.array(authors.count)
        for author in authors {
            writer.bytes(author)
        }
    }

    private func writeDependencies(to writer: inout CBORWriter) {
        if dependencies.isEmpty { return }
        writer.unsigned(Key.dependencies.rawValue)
        writer.array(dependencies.count)
        for scope in dependencies {
            writer.array(2)
            writer.bytes(scope.scope)
            writer.array(scope.heads.count)
            for head in scope.heads {
                writer.array(3)
                writer.unsigned(UInt64(head.author))
                writer.unsigned(head.seq)
                writer.bytes(head.prefix)
            }
        }
    }

    private func writePartScopes(to writer: inout CBORWriter) {
        if partScopes.isEmpty { return }
        writer.unsigned(Key.partScopes.rawValue)
        writer.array(partScopes.count)
        for part in partScopes {
            writer.array(2)
            writer.bytes(part.scope)
            writer.unsigned(UInt64(part.parts))
        }
    }

    /// Reads and validates the attribute map.
    package init(from reader: inout CBORReader) throws(CRDTError) {
        var fields = Fields()
        try wire { () throws(WireError) in try fields.read(from: &reader) }
        guard (fields.commit == nil) == (fields.part == nil),
            (fields.commit == nil) == (fields.parts == nil),
            let schemaVersion = fields.schemaVersion, let stamp = fields.baseStamp
        else { throw .badAttribute }
        guard let raw = Int64(exactly: stamp), let baseStamp = Timestamp(rawValue: raw) else {
            throw .stampTooLarge
        }
        guard fields.commit == nil || !fields.isAlone else { throw .badAttribute }
        self.init(
            commit: fields.commit ?? .zero, part: fields.part ?? 1, parts: fields.parts ?? 1,
            intent: fields.intent,
            schemaVersion: schemaVersion, baseStamp: baseStamp, authors: fields.authors,
            dependencies: fields.dependencies, partScopes: fields.partScopes,
            unknown: fields.unknown)
        try validate()
    }
}

/// The attributes as far as they were read.
private struct Fields {
    var commit: CommitID?
    var part: UInt32?
    var parts: UInt32?
    var intent: [UInt8]?
    var schemaVersion: UInt32?
    var baseStamp: UInt64?
    var authors: [AuthorID] = []
    var dependencies: [BatchAttributes.ScopeDependencies] = []
    var partScopes: [BatchAttributes.PartScope] = []
    var unknown: [BatchAttributes.Unknown] = []

    /// The most entries for which room is made before they are read.
    private static let room = 64

    /// True when the commit is one that the map leaves out.
    var isAlone: Bool { commit == .zero && part == 1 && parts == 1 }

    mutating func read(from reader: inout CBORReader) throws(WireError) {
        let count = try reader.map()
        var previous: UInt64?
        for _ in 0..<count {
            switch try reader.mapKey(after: &previous) {
            case 0: commit = try reader.bytes16()
            case 1: part = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            case 2: parts = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            case 3: intent = try reader.bytes(max: Limits.intentBytes)
            case 4: schemaVersion = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
            case 5: baseStamp = try reader.unsigned()
            case 6: try readAuthors(from: &reader)
            case 7: try readDependencies(from: &reader)
            case 8: try readPartScopes(from: &reader)
            case let key:
                unknown.append(BatchAttributes.Unknown(key: key, item: try reader.rawItem()))
            }
        }
    }

    private mutating func readAuthors(from reader: inout CBORReader) throws(WireError) {
        let count = try nonEmptyArray(&reader, max: Limits.authorsPerBatch)
        authors.reserveCapacity(min(count, Self.room))
        for _ in 0..<count {
            authors.append(try reader.bytes16())
        }
    }

    private mutating func readDependencies(from reader: inout CBORReader) throws(WireError) {
        let scopes = try nonEmptyArray(&reader, max: Limits.batchBodyBytes)
        dependencies.reserveCapacity(min(scopes, Self.room))
        for _ in 0..<scopes {
            try reader.array(exactly: 2)
            let scope = try reader.bytes16()
            let count = try nonEmptyArray(&reader, max: Limits.authorsPerBatch)
            var heads: [BatchAttributes.Dependency] = []
            heads.reserveCapacity(min(count, Self.room))
            for _ in 0..<count {
                try reader.array(exactly: 3)
                let author = try reader.unsigned(max: UInt64(Limits.authorsPerBatch))
                heads.append(
                    BatchAttributes.Dependency(
                        author: Int(author), seq: try reader.unsigned(),
                        prefix: try reader.bytes8()))
            }
            dependencies.append(BatchAttributes.ScopeDependencies(scope: scope, heads: heads))
        }
    }

    private mutating func readPartScopes(from reader: inout CBORReader) throws(WireError) {
        for _ in 0..<(try nonEmptyArray(&reader, max: Limits.partsPerCommit)) {
            try reader.array(exactly: 2)
            let scope = try reader.bytes16()
            let parts = UInt32(try reader.unsigned(max: UInt64(Limits.partsPerCommit)))
            partScopes.append(BatchAttributes.PartScope(scope: scope, parts: parts))
        }
    }

    /// Reads the head of an array. An empty one is left out, so writing it would be a second
    /// spelling.
    private func nonEmptyArray(
        _ reader: inout CBORReader, max maximum: Int
    ) throws(WireError) -> Int {
        let count = try reader.array(max: maximum)
        guard count > 0 else { throw .nonCanonical }
        return count
    }
}
