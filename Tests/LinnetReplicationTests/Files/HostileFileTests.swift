import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// What a member can say of files that no replica says.
@Suite struct HostileFileTests {
    private let fleet: Fleet
    private let content = FileBench.content(600_000)

    init() throws { fleet = try Fleet.ofPictures() }

    /// A device that shows a file which it does not have, and a member that has it and lies.
    private func sample() throws -> (host: Device, liar: RawMember, file: FileValue) {
        let devices = try fleet.group(["a", "b", "c"])
        let file = try devices[1].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[1], devices[2])
        fleet.disconnectAll()
        let liar = try RawMember(devices[2], at: devices[0], in: fleet)
        try liar.greet(features: HelloMessage.chunks)
        return (devices[0], liar, file)
    }

    private func asked(of liar: RawMember) throws -> [BlockGetMessage] {
        try liar.heard.filter { $0.type == .blockGet }.map { try BlockGetMessage.decode($0.body) }
    }

    @Test func `a wrong chunk is not kept, and its sender is asked for nothing more`() throws {
        let (host, liar, file) = try sample()
        try host.fetch(at: fleet.now)
        liar.exchange()
        var left = file.chunks[0].sealedBytes
        while left > 0 {
            #expect(try asked(of: liar).last?.chunk.name == file.chunks[0].name)
            let count = min(left, Limits.blockBytes)
            try liar.say(.block, BlockMessage.encode([UInt8](repeating: 1, count: count)))
            left -= count
        }
        let questions = try asked(of: liar).count
        try liar.say(.ping, [0x48] + [UInt8](repeating: 0, count: 8))
        #expect(liar.end == nil)
        #expect(try asked(of: liar).count == questions)
        let kept = try host.replica?.keptFileBytes()
        #expect(kept == 0)
        #expect(host.ends.isEmpty)
    }

    @Test func `a peer that is silent is not waited for`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        try devices[1].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[1], devices[2])
        fleet.disconnectAll()
        let silent = try RawMember(devices[2], at: devices[0], in: fleet)
        try silent.greet(features: HelloMessage.chunks)
        try devices[0].fetch(at: fleet.now)
        silent.exchange()
        #expect(try asked(of: silent).count == 1)
        fleet.connect(devices[0], devices[1])
        #expect(devices[0].ends.isEmpty)
        fleet.advance(Limits.blockMilliseconds)
        fleet.meetDeadlines([devices[0]])
        #expect(devices[0].ends == [nil])
        #expect(try devices[0].content() == content)
    }

    @Test func `what nobody asked for, and blocks of another length, end the session`() throws {
        let (host, liar, _) = try sample()
        try liar.say(.block, BlockMessage.encode([1]))
        #expect(liar.end == .protocolViolation)
        liar.leave()
        #expect(host.replica?.hasFailed == false)
        for type in [MessageType.block, .blockNone] {
            let (host, liar, _) = try HostileFileTests().sample()
            try host.fetch(at: fleet.now)
            liar.exchange()
            if type == .block {
                try liar.say(.block, BlockMessage.encode([UInt8](repeating: 1, count: 16_383)))
            } else {
                try liar.say(.blockNone, BlockNoneMessage.encoded)
                try liar.say(.blockNone, BlockNoneMessage.encoded)
            }
            #expect(liar.end == .protocolViolation)
        }
    }

    @Test func `a second question before the answer ends the session`() throws {
        let (_, liar, file) = try sample()
        let get = BlockGetMessage(chunk: file.chunks[0], offset: 0).encode()
        try liar.queue(.blockGet, get)
        try liar.say(.blockGet, get)
        #expect(liar.end == .protocolViolation)
    }

    @Test func `questions for chunks that nobody has are answered, however many`() throws {
        let (_, liar, file) = try sample()
        for number in 0..<50 {
            let chunk = ChunkEntry(name: Bytes32(repeating: UInt8(number)), length: 65_536)
            try liar.say(.blockGet, BlockGetMessage(chunk: chunk, offset: 0).encode())
        }
        try liar.say(
            .blockGet, BlockGetMessage(chunk: file.chunks[0], offset: 16_384).encode())
        #expect(liar.end == nil)
        #expect(liar.heard.filter { $0.type == .blockNone }.count == 51)
    }

    @Test func `a file that says another length of a chunk ends no session of two others`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        let honest = try devices[0].attach(content, at: fleet.now)
        let entry = honest.chunks[0]
        for length in [entry.length - 1, entry.length + 1, 65_536, Limits.chunkMaximumBytes] {
            var chunks = ChunkList()
            chunks.append(ChunkEntry(name: entry.name, length: length))
            let lie = try #require(
                FileValue(
                    name: "a.bin", mediaType: "", size: UInt64(length), digest: honest.digest,
                    key: honest.key, isDeep: false, chunks: chunks))
            try devices[2].change([.set(FieldWrite(2, lie.value))], fleet)
            fleet.connect(devices[0], devices[1])
            fleet.connect(devices[1], devices[2])
            let shown = try devices[1].file
            #expect(shown == lie)
            let name = try devices[1].fetch(at: fleet.now)
            fleet.run()
            try devices[0].change([.set(FieldWrite(1, .text("\(length)")))], fleet)
            fleet.run()
            let title = try devices[1].shown(1)
            #expect(title == .text("\(length)"))
            devices[1].replica?.stopFetching(name)
            fleet.disconnectAll()
        }
        let closings = devices.flatMap(\.events).filter {
            if case .sessionClosed(_, _, .protocolViolation) = $0 { true } else { false }
        }
        #expect(closings.isEmpty)
    }

    @Test func `a device without the feature is asked for nothing`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        try devices[1].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        let old = try RawMember(devices[2], at: devices[0], in: fleet)
        try old.greet(features: 7)
        try devices[0].fetch(at: fleet.now)
        old.exchange()
        #expect(try asked(of: old).isEmpty && old.end == nil)
    }

    @Test func `a file beyond what may be kept ends its fetching alone`() throws {
        let devices = try fleet.group(["a", "b"])
        try devices[0].attach(content, at: fleet.now)
        fleet.connect(devices[0], devices[1])
        devices[1].replica?.mostFileBytes = 100_000
        try devices[1].fetch(at: fleet.now)
        fleet.run()
        #expect(devices[1].ends == [.noRoom])
        try devices[0].change([.set(FieldWrite(1, .text("written")))], fleet)
        fleet.run()
        let view = try devices[1].replica?.reader.record(2_000, devices[1].id)
        #expect(view?.fields.first?.values == [.text("written")])
    }
}
