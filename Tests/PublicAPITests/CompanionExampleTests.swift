import Foundation
import Linnet
import Testing

/// What an application for a phone and its watch does.
@Suite(.timeLimit(.minutes(5)))
struct CompanionExampleTests {
    @Test func `a phone and its watch exchange messages, contexts, user infos and files`()
        async throws
    {
        let directory = NSTemporaryDirectory() + "linnet-companion-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let (phone, watch) = try await pair(in: directory)

        let atPhone = await phone.companion.events()
        let atWatch = await watch.companion.events()
        try await phone.companion.activate()
        try await watch.companion.activate()
        while await !watch.companion.isReachable { try await watch.sync() }

        let answering = Task {
            for await event in atPhone {
                guard case .didReceiveMessage(let message) = event else { continue }
                try await phone.companion.reply(to: message, with: ["taken": true])
                return
            }
        }
        let reply = try await watch.companion.sendMessage(["take": "aspirin"])
        #expect(reply == ["taken": true])
        try await answering.value

        try await phone.companion.updateApplicationContext(["next": "08:00"])
        try await phone.companion.transferUserInfo(["dose": 1])
        let file = directory + "/leaflet"
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: file))
        try await phone.companion.transferFile(at: file, metadata: ["name": "leaflet"])
        try await receiveAll(atWatch, watch, directory)
        #expect(await watch.companion.receivedApplicationContext == ["next": "08:00"])
        await #expect(throws: CompanionSessionError.payloadTooLarge) {
            try await watch.companion.transferUserInfo([
                "big": .data(Array(repeating: 0, count: 70_000))
            ])
        }
        await watch.stop()
        await phone.stop()
    }

    /// Waits for the context, the user info and the file.
    private func receiveAll(
        _ atWatch: AsyncStream<CompanionSessionEvent>, _ watch: Node, _ directory: String
    ) async throws {
        var seen: Set<String> = []
        for await event in atWatch where seen.count < 3 {
            switch event {
            case .didReceiveApplicationContext(let context):
                #expect(context == ["next": "08:00"])
                seen.insert("context")
            case .didReceiveUserInfo(let info):
                #expect(info.userInfo == ["dose": 1])
                seen.insert("userInfo")
            case .didReceiveFile(let received):
                #expect(received.metadata == ["name": "leaflet"])
                try await watch.companion.take(received, to: directory + "/taken")
                #expect(try Data(contentsOf: URL(filePath: directory + "/taken")).count == 100_000)
                seen.insert("file")
            default: break
            }
            if seen.count == 3 { break }
        }
    }

    private func pair(in directory: String) async throws -> (phone: Node, watch: Node) {
        let phone = try await Node.create(at: directory + "/phone", name: "Phone", kind: .phone)
        let watch = try await Node.createToJoin(
            at: directory + "/watch", name: "Watch", kind: .watch)
        for node in [phone, watch] { try await node.start(.companionLink(directory + "/link")) }
        let invitation = try await phone.offerPairing { _ in true }
        try await watch.join(code: invitation.code)
        return (phone, watch)
    }
}
