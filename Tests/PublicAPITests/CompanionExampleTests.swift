import Foundation
import Linnet
import LinnetMedication
import Testing

/// The example of the article about a phone and its watch, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct CompanionExampleTests {
    private let household = Household()

    private func pair(in folder: String) async throws -> (phone: Node, watch: Node) {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // shown in Sources/Linnet/Linnet.docc/companion.md
        let phone = try await Node.create(
            at: folder + "/phone", name: "Phone", kind: .phone, schema: .demonstration)
        let watch = try await Node.createToJoin(at: folder + "/watch", name: "Watch", kind: .watch)
        try await phone.start(.companionLink(folder + "/link"))
        try await watch.start(.companionLink(folder + "/link"))
        let invitation = try await phone.offerPairing { newcomer in newcomer.name == "Watch" }
        try await watch.join(code: invitation.code)
        // shown until here
        return (phone, watch)
    }

    @Test func `a phone and its watch exchange messages, contexts, user infos and files`()
        async throws
    {
        let folder = household.folder
        let (phone, watch) = try await pair(in: folder)
        // shown in Sources/Linnet/Linnet.docc/companion.md

        // Read the events before activating, so that nothing is missed.
        let atPhone = await phone.companion.events()
        let atWatch = await watch.companion.events()
        try await phone.companion.activate()
        try await watch.companion.activate()

        // The phone's app answers whoever asks.
        let answering = Task {
            for await event in atPhone {
                guard case .didReceiveMessage(let message) = event else { continue }
                try await phone.companion.reply(to: message, with: ["recorded": true])
                return
            }
        }
        // shown until here
        while await !watch.companion.isReachable { try await watch.sync() }
        // shown in Sources/Linnet/Linnet.docc/companion.md

        // Live: sent now, answered now, or refused as not reachable.
        let reply = try await watch.companion.sendMessage(["take": "m1"])
        // ["recorded": true]
        // shown until here
        #expect(reply == ["recorded": true])
        try await answering.value
        try Data(repeating: 7, count: 100_000).write(to: URL(filePath: folder + "/leaflet.pdf"))
        try await send(phone, folder)
        try await receive(atWatch, watch, folder)
        #expect(await watch.companion.receivedApplicationContext == ["next": "20:00"])
        try await refuse(watch)
        try await showOnFace(phone, watch)
        await watch.stop()
        await phone.stop()
    }

    private func send(_ phone: Node, _ folder: String) async throws {
        // shown in Sources/Linnet/Linnet.docc/companion.md
        // The newest plan alone, every dose once and in order, and a file.
        try await phone.companion.updateApplicationContext(["next": "20:00"])
        try await phone.companion.transferUserInfo(["dose": 1, "at": "08:00"])
        try await phone.companion.transferFile(
            at: folder + "/leaflet.pdf", metadata: ["of": "m1"])
        // shown until here
    }

    private func receive(
        _ atWatch: AsyncStream<CompanionSessionEvent>, _ watch: Node, _ folder: String
    ) async throws {
        // shown in Sources/Linnet/Linnet.docc/companion.md

        // On the watch they come one after the other, also when it was not running meanwhile.
        var waiting: Set = ["context", "dose", "file"]
        for await event in atWatch {
            switch event {
            case .didReceiveApplicationContext(let context) where context["next"] == "20:00":
                waiting.remove("context")
            case .didReceiveUserInfo(let info) where info.userInfo["dose"] == 1:
                waiting.remove("dose")
            case .didReceiveFile(let file) where file.metadata["of"] == "m1":
                try await watch.companion.take(file, to: folder + "/taken.pdf")
                waiting.remove("file")
            default: break
            }
            if waiting.isEmpty { break }
        }
        // shown until here
        let taken = try Data(contentsOf: URL(filePath: folder + "/taken.pdf"))
        #expect(waiting.isEmpty && taken == Data(repeating: 7, count: 100_000))
    }

    private func refuse(_ watch: Node) async throws {
        await #expect(throws: CompanionSessionError.payloadTooLarge) {
            try await watch.companion.transferUserInfo([
                "big": .data(Array(repeating: 0, count: 70_000))
            ])
        }
    }

    private func showOnFace(_ phone: Node, _ watch: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/companion.md
        try await watch.companion.setComplication(isOnFace: true)
        // shown until here
        while await !phone.companion.isComplicationEnabled { try await watch.sync() }
        // shown in Sources/Linnet/Linnet.docc/companion.md
        try await phone.companion.transferCurrentComplicationUserInfo(["next": "20:00"])
        let left = await phone.companion.remainingComplicationUserInfoTransfers  // 49
        // shown until here
        #expect(left == 49)
    }
}
