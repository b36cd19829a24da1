import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The fetching of one file: which chunks are here, and which are asked for next.
struct FileFetch {
    /// The chunks that are found missing ahead of those that peers were asked for.
    static let mostWanted = 8

    let file: FileValue
    private var walk: ChunkWalk
    /// The chunks that no peer was asked for, in order.
    private var wanted: [ChunkEntry] = []
    /// The chunks that a peer was asked for, and the lengths that they stand for.
    private var asked: OrderedTable<Bytes32, ChunkEntry> = OrderedTable()
    /// The part of the list before which the walk waits.
    private var awaitedPart: Bytes32?
    /// True when somebody waits for it.
    var isAskedFor = false
    /// The reason why the fetching ended early; nil while it goes on.
    var fault: FileFault?

    init(_ file: FileValue) {
        self.file = file
        walk = ChunkWalk(file)
    }

    /// True when all of the file is here.
    var isComplete: Bool {
        walk.step == .end && wanted.isEmpty && asked.isEmpty
    }

    /// True while every chunk that was looked for is here.
    var missesNothing: Bool { wanted.isEmpty && asked.isEmpty }

    /// True when more chunks may be looked for.
    var mayAdvance: Bool {
        fault == nil && wanted.count < Self.mostWanted && awaitedPart == nil && walk.step != .end
    }

    /// The bytes of the content that are here, as far as the walk went.
    var doneBytes: UInt64 {
        let missing = wanted + asked.values
        let away = missing.filter { $0.name != awaitedPart }.reduce(0) { $0 + UInt64($1.length) }
        return walk.offset - min(walk.offset, away)
    }

    /// Looks for the next missing chunk; a chunk that is here is passed over.
    mutating func advance(in store: any Store) throws(StorageError) {
        switch walk.step {
        case .list(let entry):
            guard let chunk = try store.chunk(entry.name) else {
                awaitedPart = entry.name
                return want(entry)
            }
            do {
                try walk.enter(try ChunkSealer(fileKey: file.key).open(chunk, .list))
            } catch {
                fault = error
            }
        case .content(let entry):
            walk.pass()
            // What an attaching left behind may be forgotten at any time.
            guard try store.hasChunk(entry.name), try !store.isLoose(entry.name) else {
                return want(entry)
            }
        case .end: break
        }
    }

    private mutating func want(_ entry: ChunkEntry) {
        // The same content may occur in a file more than once.
        guard asked[entry.name] == nil, !wanted.contains(where: { $0.name == entry.name })
        else { return }
        wanted.append(entry)
    }

    /// Hands out the next chunk to ask for; nil when there is none at the moment.
    mutating func take() -> ChunkEntry? {
        guard fault == nil, !wanted.isEmpty else { return nil }
        let entry = wanted.removeFirst()
        asked[entry.name] = entry
        return entry
    }

    /// Notes that a chunk came; false when it was not waited for.
    mutating func came(_ name: Bytes32) -> Bool {
        let wasAsked = asked.removeValue(forKey: name) != nil
        let place = wanted.firstIndex { $0.name == name }
        if let place { wanted.remove(at: place) }
        if awaitedPart == name { awaitedPart = nil }
        return wasAsked || place != nil
    }

    /// Takes back the chunks that nobody is asked for any more.
    mutating func takeBack(butFor stillAsked: OrderedSet<Bytes32>) {
        let lost = asked.filter { !stillAsked.contains($0.key) }.map(\.value)
        for entry in lost { asked[entry.name] = nil }
        wanted = lost + wanted
    }
}
