import Foundation
import Linnet
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeAttachmentTests {
    private let home = TestHome()
    private let content: [UInt8]

    init() {
        var state: UInt64 = 88_172_645_463_325_252
        content = (0..<3_000_000).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }

    private var pictures: Schema {
        get throws {
            try Schema(
                version: 1,
                collections: [
                    Collection(
                        id: 2_000, name: "picture", scope: "album",
                        fields: [
                            Field(id: 1, name: "title", type: .text),
                            Field(id: 2, name: "image", kind: .file),
                        ])
                ])
        }
    }

    private func laptop() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: try pictures)
    }

    private func source() throws -> String {
        try Data(content).write(to: URL(filePath: home("tea.png")))
        return home("tea.png")
    }

    @Test func `a file is attached, read piece by piece, and saved`() async throws {
        let node = try await laptop()
        let told = Mutex<[AttachmentProgress]>([])
        try await node.attach(
            try source(), to: "image", of: "picture", "tea", mediaType: "image/png"
        ) { step in told.withLock { $0.append(step) } }
        let last = told.withLock(\.last)
        #expect(last?.doneBytes == 3_000_000 && last?.totalBytes == 3_000_000)
        let file = try #require(try await node.attachment("image", of: "picture", "tea"))
        #expect(file.name == "tea.png" && file.mediaType == "image/png")
        #expect(file.byteCount == 3_000_000 && file.hash.count == 64)
        var read: [UInt8] = []
        for try await piece in try await node.content(of: "image", in: "picture", "tea") {
            #expect(piece.count <= 896 << 10)
            read += piece
        }
        #expect(read == content)
        #expect(
            try await node.save("image", of: "picture", "tea", to: home("copy")) == file)
        #expect(FileManager.default.contents(atPath: home("copy")) == Data(content))
        await #expect(throws: LinnetError.self) {
            try await node.save("image", of: "picture", "tea", to: home("copy"))
        }
        try await node.set("picture", "tea", ["image": .null])
        #expect(try await node.attachment("image", of: "picture", "tea") == nil)
        await stop([node])
    }

    @Test func `a device that wants all files has them when the others are gone`() async throws {
        let laptop = try await laptop()
        try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        var options = NodeOptions.loopback
        options.attachments = .all
        try await phone.start(options)
        try await pair(phone, with: laptop)
        try await laptop.attach(try source(), to: "image", of: "picture", "tea")
        while try await !phone.holdsContent(of: "image", in: "picture", "tea") {
            await Task.yield()
        }
        await stop([laptop])
        try await phone.save("image", of: "picture", "tea", to: home("copy"))
        #expect(FileManager.default.contents(atPath: home("copy")) == Data(content))
        #expect(try await !phone.holdsContent(of: "image", in: "picture", "coffee"))
        await stop([phone])
    }

    @Test func `another device fetches the content, and keeps it`() async throws {
        let laptop = try await laptop()
        try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(.loopback)
        try await pair(phone, with: laptop)
        try await laptop.attach(try source(), to: "image", of: "picture", "tea")
        try await phone.sync()
        let file = try await phone.attachment("image", of: "picture", "tea")
        #expect(file?.byteCount == 3_000_000)
        try await phone.save("image", of: "picture", "tea", to: home("copy"))
        #expect(FileManager.default.contents(atPath: home("copy")) == Data(content))
        await stop([laptop])
        try await phone.save("image", of: "picture", "tea", to: home("again"))
        #expect(FileManager.default.contents(atPath: home("again")) == Data(content))
        await stop([phone])
    }

    @Test func `what cannot be attached or fetched is told, and changes nothing`() async throws {
        let node = try await laptop()
        let path = try source()
        func problem(_ body: () async throws -> Void) async -> AttachmentProblem? {
            do {
                try await body()
            } catch LinnetError.attachment(let problem) {
                return problem
            } catch {
                Issue.record("\(error)")
            }
            return nil
        }
        #expect(
            await problem { try await node.attach(path, to: "title", of: "picture", "tea") }
                == .wrongField("title"))
        #expect(
            await problem {
                try await node.attach(path, to: "image", of: "picture", "tea", name: "a/b")
            } == .badName)
        for wrong in [home("nothing"), home("")] {
            guard
                case .unreadable? = await problem({
                    try await node.attach(wrong, to: "image", of: "picture", "tea")
                })
            else {
                Issue.record("\(wrong) was read")
                return
            }
        }
        #expect(
            await problem {
                try await node.save("image", of: "picture", "tea", to: home("copy"))
            } == .noFile)
        #expect(try await node.get("picture", "tea") == nil)
        await #expect(throws: LinnetError.self) {
            try await node.attach(path, to: "imgae", of: "picture", "tea")
        }
        await stop([node])
    }

    @Test func `a content that nobody gives is waited for only for a time`() async throws {
        let laptop = try await laptop()
        try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(at: home("phone"), name: "Phone", kind: .phone)
        try await phone.start(.loopback)
        try await pair(phone, with: laptop)
        try await laptop.attach(try source(), to: "image", of: "picture", "tea")
        try await phone.sync()
        await stop([laptop])
        await #expect(throws: LinnetError.attachment(.nobodyGivesIt)) {
            try await phone.save(
                "image", of: "picture", "tea", to: home("copy"), idle: .milliseconds(300))
        }
        #expect(!FileManager.default.fileExists(atPath: home("copy")))
        await stop([phone])
    }
}
