import LinnetCRDT
import LinnetReplication
import LinnetSystem
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Node {
    /// The bytes of a file that are read before the node's other work gets a turn.
    private static var attachingStepBytes: Int { 256 << 10 }

    /// Attaches a file to a record: its content is cut, sealed and kept, and then the field holds
    /// it. Other devices hear of it at once and fetch the content when they want it.
    ///
    /// Little memory is taken however large the file is. What was kept of a file whose attaching
    /// did not end is forgotten.
    ///
    /// - Parameters:
    ///   - path: an absolute path of a file of at most 64 GiB.
    ///   - field: the name of a field of the kind file.
    ///   - collection: the collection's name.
    ///   - id: the record's identifier; a record that is not there begins with this.
    ///   - name: the name that the record holds; nil for the one in the path.
    ///   - mediaType: the media type; empty when it is not known.
    ///   - progress: learns now and then how much is kept.
    @discardableResult
    public func attach(
        _ path: String, to field: String, of collection: String, _ id: String,
        name: String? = nil, mediaType: String = "",
        progress: @Sendable (AttachmentProgress) -> Void = { _ in }
    ) async throws(LinnetError) -> WriteReceipt {
        let receipt = try await attachFile(
            at: path, to: try filePlace(field, of: collection, id), name: name,
            mediaType: mediaType, progress)
        return WriteReceipt(receipt, in: schema)
    }

    /// Returns the file that a field holds; nil when it holds none. Its content may not be here.
    public func attachment(
        _ field: String, of collection: String, _ id: String
    ) throws(LinnetError) -> Attachment? {
        try heldFile(at: try filePlace(field, of: collection, id)).map(Attachment.init)
    }

    /// Returns true when all of the content of the file that a field holds is on this device; false
    /// also where the field holds none.
    public func holdsContent(
        of field: String, in collection: String, _ id: String
    ) throws(LinnetError) -> Bool {
        guard let file = try heldFile(at: try filePlace(field, of: collection, id)) else {
            return false
        }
        return try isHere(file)
    }

    /// Returns the content of the file that a field holds; it is fetched when the first piece of it
    /// is asked for.
    public func content(
        of field: String, in collection: String, _ id: String
    ) throws(LinnetError) -> AttachmentContent {
        AttachmentContent(try file(at: try filePlace(field, of: collection, id)), of: self)
    }

    /// Writes the content of the file that a field holds to a new file of mode 0600, which has its
    /// name only once all of the content is there and is what the record says.
    ///
    /// - Parameters:
    ///   - field: the name of a field of the kind file.
    ///   - collection: the collection's name.
    ///   - id: the record's identifier.
    ///   - path: an absolute path.
    ///   - replacing: true when a file at the path may be replaced, at the very end.
    ///   - idle: the time without any progress after which it gives up; nil for never.
    ///   - progress: learns now and then how much of the content is on this device.
    @discardableResult
    public func save(
        _ field: String, of collection: String, _ id: String, to path: String,
        replacing: Bool = false, idle: Duration? = nil,
        progress: @Sendable (AttachmentProgress) -> Void = { _ in }
    ) async throws(LinnetError) -> Attachment {
        let file = try file(at: try filePlace(field, of: collection, id))
        try await fetch(file, idle: idle, progress)
        try await write(file, to: path, replacing: replacing)
        return Attachment(file)
    }
}

/// The place of a file: a field of a record.
struct FilePlace: Sendable {
    let key: RecordKey
    let field: UInt32
}

// The steps of attaching.
extension Node {
    func filePlace(
        _ field: String, of collection: String, _ id: String
    ) throws(LinnetError) -> FilePlace {
        let collection = try self.collection(named: collection)
        guard let found = collection.fields.first(where: { $0.name == field }) else {
            throw explained(.schema(.unknownField(field)))
        }
        guard found.kind == .file else { throw .attachment(.wrongField(field)) }
        return FilePlace(
            key: RecordKey(collection: collection.id, record: try recordID(id)), field: found.id)
    }

    func attachFile(
        at path: String, to place: FilePlace, name: String?, mediaType: String,
        _ progress: @Sendable (AttachmentProgress) -> Void
    ) async throws(LinnetError) -> CommitReceipt {
        try writable()
        let source = try Self.openContent(at: path)
        let lastPart = path.split(separator: "/").last.map(String.init) ?? ""
        let begun = try begin(place)
        do throws(LinnetError) {
            var writer = FileWriter(key: begun.key)
            try await take(source, into: &writer, owner: begun.owner, progress)
            let end = try Self.finish(writer, name ?? lastPart, mediaType)
            try keep(end.chunks, owner: begun.owner)
            return try endFile(end.file, owner: begun.owner, at: place)
        } catch {
            replica?.abandonFile(owner: begun.owner)
            settle()
            throw error
        }
    }

    private static func finish(
        _ writer: consuming FileWriter, _ name: String, _ mediaType: String
    ) throws(LinnetError) -> (file: FileValue, chunks: [SealedChunk]) {
        do throws(FileFault) {
            return try writer.finish(name: name, mediaType: mediaType)
        } catch {
            // All else in the value follows from the content.
            throw .attachment(error == .malformed ? .badName : AttachmentProblem(error))
        }
    }

    private func begin(_ place: FilePlace) throws(LinnetError) -> (owner: Int64, key: [UInt8]) {
        do throws(ReplicaError) {
            if let begun = try replica?.beginFile(in: place.key, field: place.field) {
                return begun
            }
        } catch {
            throw failed(error)
        }
        throw absence
    }

    private func endFile(
        _ file: FileValue, owner: Int64, at place: FilePlace
    ) throws(LinnetError) -> CommitReceipt {
        try writable()
        let ended: (CommitReceipt, [Effect])?
        do throws(ReplicaError) {
            ended = try replica?.endFile(
                file, owner: owner, in: place.key, field: place.field, at: SystemClock.now())
        } catch {
            throw failed(error)
        }
        guard let (receipt, effects) = ended else { throw absence }
        perform(effects)
        return receipt
    }

    private func take(
        _ source: borrowing OpenFile, into writer: inout FileWriter, owner: Int64,
        _ progress: @Sendable (AttachmentProgress) -> Void
    ) async throws(LinnetError) {
        let total = try Self.size(of: source)
        var offset = 0
        while true {
            let bytes = try Self.read(source, at: offset, upTo: Self.attachingStepBytes)
            if bytes.isEmpty { break }
            offset += bytes.count
            try Self.told { () throws(FileFault) in try writer.push(bytes) }
            var chunks: [SealedChunk]
            repeat {
                chunks = try Self.told { () throws(FileFault) in try writer.next() }
                try keep(chunks, owner: owner)
            } while !chunks.isEmpty
            progress(
                AttachmentProgress(
                    doneBytes: UInt64(offset), totalBytes: max(total, UInt64(offset))))
            await Task.yield()
        }
        var rest: [SealedChunk]
        repeat {
            rest = try Self.told { () throws(FileFault) in try writer.rest() }
            try keep(rest, owner: owner)
            await Task.yield()
        } while !rest.isEmpty
    }

    private func keep(_ chunks: [SealedChunk], owner: Int64) throws(LinnetError) {
        guard replica != nil else { throw absence }
        do throws(FileReading) {
            try replica?.keepChunks(chunks, owner: owner)
        } catch {
            throw failed(error)
        }
    }

    private func failed(_ error: FileReading) -> LinnetError {
        switch error {
        case .storage(let failure): failed(ReplicaError.storage(failure))
        case .fault(let fault): .attachment(AttachmentProblem(fault))
        }
    }

    private static func told<Result: ~Copyable>(
        _ body: () throws(FileFault) -> Result
    ) throws(LinnetError) -> Result {
        do {
            return try body()
        } catch {
            throw .attachment(AttachmentProblem(error))
        }
    }

    private static func openContent(at path: String) throws(LinnetError) -> OpenFile {
        do throws(HomeError) {
            let source = try OpenFile.reading(at: path)
            guard try source.status().st_mode & S_IFMT == S_IFREG else {
                throw HomeError.system(call: "read", path: path, code: EISDIR)
            }
            return source
        } catch {
            throw .attachment(.unreadable(error.description))
        }
    }

    private static func size(of source: borrowing OpenFile) throws(LinnetError) -> UInt64 {
        do throws(HomeError) {
            return UInt64(clamping: try source.status().st_size)
        } catch {
            throw .attachment(.unreadable(error.description))
        }
    }

    private static func read(
        _ source: borrowing OpenFile, at offset: Int, upTo limit: Int
    ) throws(LinnetError) -> [UInt8] {
        do throws(HomeError) {
            return try source.read(upTo: limit, at: offset)
        } catch {
            throw .attachment(.unreadable(error.description))
        }
    }
}

// The steps of fetching and reading.
extension Node {
    func heldFile(at place: FilePlace) throws(LinnetError) -> FileValue? {
        try reading { (replica) throws(ReplicaError) in
            try replica.file(in: place.key, field: place.field)
        }
    }

    func file(at place: FilePlace) throws(LinnetError) -> FileValue {
        guard let file = try heldFile(at: place) else { throw .attachment(.noFile) }
        return file
    }

    /// Waits until a file is here; throws after a time without any progress.
    func fetch(
        _ file: FileValue, idle: Duration?,
        _ progress: @Sendable (AttachmentProgress) -> Void
    ) async throws(LinnetError) {
        for await news in try follow(file, idle: idle) {
            switch news {
            case .grew(let doneBytes):
                progress(AttachmentProgress(doneBytes: doneBytes, totalBytes: file.size))
            case .ended(nil): return
            case .ended(let fault?): throw .attachment(AttachmentProblem(fault))
            case .silent: throw .attachment(.nobodyGivesIt)
            }
        }
        throw absence
    }

    private func follow(
        _ file: FileValue, idle: Duration?
    ) throws(LinnetError) -> AsyncStream<FetchingDesk.News> {
        let now = SystemClock.now()
        let begun: (Bytes32, [Effect])?
        do throws(FileReading) {
            begun = try replica?.fetchFile(file, at: now)
        } catch {
            throw failed(error)
        }
        guard let (name, effects) = begun else { throw absence }
        // What the effects tell is heard by who follows.
        let news = fetching.follow(name, idleMilliseconds: idle?.wholeMilliseconds, at: now)
        perform(effects)
        return news
    }

    /// Returns true when all of a file is here.
    func isHere(_ file: FileValue) throws(LinnetError) -> Bool {
        try reading { (replica) throws(ReplicaError) in try replica.holds(file) }
    }

    /// Connects to the devices at some addresses.
    func dial(_ peers: [String]) throws(LinnetError) {
        let now = SystemClock.now()
        for text in peers {
            let endpoint = try peerEndpoint(text)
            connections.dialling.change { $0.add(peer: endpoint, at: now) }
        }
        connections.dialling.change { $0.hurry(at: now) }
        settle()
    }

    /// Ends the calls that waited too long.
    func fireFetching(at now: Moment) {
        for name in fetching.fire(at: now) { replica?.stopFetching(name) }
    }

    /// Returns the next piece of a content; nil after the last one.
    func read(_ content: OpenContent) throws(LinnetError) -> [UInt8]? {
        guard replica != nil else { throw absence }
        do throws(FileReading) {
            return try replica?.readFile(&content.reader) ?? nil
        } catch {
            throw failed(error)
        }
    }

    func write(
        _ file: FileValue, to path: String, replacing: Bool
    ) async throws(LinnetError) {
        let content = OpenContent(file)
        let target: ContentFile
        do throws(HomeError) {
            target = try ContentFile(path: path, replaces: replacing)
        } catch {
            throw .attachment(.unwritable(error.description))
        }
        while let bytes = try read(content) {
            do throws(HomeError) {
                try target.append(bytes)
            } catch {
                throw .attachment(.unwritable(error.description))
            }
            await Task.yield()
        }
        do throws(HomeError) {
            try target.finish()
        } catch {
            throw .attachment(.unwritable(error.description))
        }
    }
}
