import LinnetCRDT
import LinnetCompanion
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The companion lanes of a phone and a watch, over whole replicas and their stores.
@Suite struct LaneHostTests {
    private let fleet = Fleet()
    private let phone: Device
    private let watch: Device

    init() throws {
        let devices = try fleet.group(["phone", "watch"])
        (phone, watch) = (devices[0], devices[1])
        watch.perform(
            try watch.replica?.rename("watch", kind: "watch", at: fleet.now).1 ?? [])
        fleet.connect(phone, watch)
        fleet.disconnectAll()
        for (device, kind) in [(phone, "phone"), (watch, "watch")] { try reopen(device, kind) }
    }

    private func reopen(_ device: Device, _ kind: String) throws {
        let mark = try #require(device.mark)
        device.crash()
        try device.open(at: fleet.now, witness: .intact(mark))
        device.replica?.setProfile(name: device.name, kind: kind)
        try activate(device)
    }

    private func activate(_ device: Device) throws {
        try give(device, .activate(hasDelegate: true))
        try give(device, .environment(.app(.foreground)))
    }

    private func give(_ device: Device, _ input: CompanionInput) throws {
        device.perform(try device.replica?.handle(input, at: fleet.now) ?? [])
    }

    private func queue(_ text: String, on device: Device) throws {
        try give(
            device, .app(.transferUserInfo(["text": .text(text)], TransferOptions())))
    }

    /// Lets time pass in which what waits for an answer is sent again.
    private func passTime() {
        for _ in 0..<8 {
            fleet.advance(16_000)
            fleet.meetDeadlines([phone, watch])
        }
    }

    private func texts(_ device: Device) -> [String] {
        device.lanes.compactMap { effect in
            guard case .tell(.receivedUserInfo(let info)) = effect,
                case .text(let text)? = info.userInfo["text"]
            else { return nil }
            return text
        }
    }

    @Test func `a message is answered over the session`() throws {
        fleet.connect(watch, phone)
        fleet.run()
        #expect(watch.replica?.companion?.isReachable == true)
        #expect(phone.replica?.companion?.isReachable == true)
        try give(
            watch, .app(.sendMessage(.dictionary(["ask": .int(1)]), expectsReply: true)))
        fleet.run()
        let received = phone.lanes.compactMap { effect -> TransferID? in
            if case .tell(.receivedMessage(let id, _, true)) = effect { id } else { nil }
        }
        let id = try #require(received.first)
        try give(phone, .app(.reply(to: id, .dictionary(["answer": .int(2)]))))
        fleet.run()
        #expect(
            watch.lanes.contains {
                if case .tell(.messageFinished(id, .replied(.dictionary(["answer": .int(2)])))) = $0
                {
                    true
                } else {
                    false
                }
            })
    }

    @Test func `a session in place of another carries the lanes on, and what was lost comes again`()
        throws
    {
        fleet.connect(watch, phone)
        fleet.run()
        fleet.tamper = { [watch] device, bytes in device === watch ? nil : bytes }
        try queue("a", on: watch)
        try queue("b", on: watch)
        fleet.run()
        #expect(texts(phone).isEmpty)
        fleet.tamper = nil
        fleet.connect(watch, phone)
        fleet.run()
        expectReachable()
        #expect(texts(phone) == ["a", "b"])
    }

    @Test func `whoever begins a second session, the lanes go on`() throws {
        fleet.connect(watch, phone)
        fleet.run()
        for (initiator, responder) in [(phone, watch), (watch, phone), (phone, watch)] {
            fleet.connect(initiator, responder)
            fleet.run()
            expectReachable()
            try queue("to phone", on: watch)
            try queue("to watch", on: phone)
            fleet.run()
        }
        #expect(texts(phone) == Array(repeating: "to phone", count: 3))
        #expect(texts(watch) == Array(repeating: "to watch", count: 3))
    }

    private func expectReachable(sourceLocation: SourceLocation = #_sourceLocation) {
        for device in [phone, watch] {
            #expect(
                device.replica?.companion?.isReachable == true, "\(device.name)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func `user infos wait in the store, and come in order and once`() throws {
        fleet.connect(watch, phone)
        fleet.run()
        fleet.disconnectAll()
        for text in ["a", "b", "c"] { try queue(text, on: watch) }
        #expect(texts(phone).isEmpty)
        try reopen(watch, "watch")
        #expect(watch.replica?.companion?.outstandingUserInfoTransfers.count == 3)
        fleet.connect(watch, phone)
        fleet.run()
        passTime()
        #expect(texts(phone) == ["a", "b", "c"])
        fleet.disconnectAll()
        try reopen(phone, "phone")
        fleet.connect(watch, phone)
        fleet.run()
        passTime()
        #expect(texts(phone) == ["a", "b", "c"])
        #expect(watch.replica?.companion?.outstandingUserInfoTransfers.isEmpty == true)
    }

    @Test func `a crash between the commit and the sending loses nothing`() throws {
        fleet.connect(watch, phone)
        fleet.run()
        // The effects of the call are never performed.
        _ = try watch.replica?.handle(
            .app(.transferUserInfo(["text": .text("kept")], TransferOptions())), at: fleet.now)
        fleet.disconnectAll()
        try reopen(watch, "watch")
        fleet.connect(watch, phone)
        fleet.run()
        passTime()
        #expect(texts(phone) == ["kept"])
    }

    @Test func `a file arrives in the store, part by part, and goes when it was taken`() throws {
        let content = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        fleet.connect(watch, phone)
        fleet.run()
        let file = OutgoingFile(
            reference: "f", byteCount: UInt64(content.count),
            contentHash: FileDigest.digest(of: content), metadata: ["name": .text("f")])
        try give(phone, .app(.transferFile(file, TransferOptions())))
        var answered = 0
        var received: ReceivedFile?
        while received == nil {
            for effect in phone.lanes.dropFirst(answered) {
                guard case .readFile(let id, _, let offset, let count) = effect else { continue }
                let part = Array(content[Int(offset)..<Int(offset) + count])
                try give(phone, .app(.fileBytes(id, offset: offset, part)))
            }
            answered = phone.lanes.count
            fleet.run()
            for case .tell(.receivedFile(let file)) in watch.lanes { received = file }
            passTime()
        }
        let id = try #require(received?.id)
        var found: [UInt8] = []
        while let part = try watch.replica?.laneFilePart(id, offset: UInt64(found.count)) {
            found += part
        }
        #expect(found == content)
        try give(watch, .app(.fileHandled(id)))
        #expect(try watch.replica?.laneFilePart(id, offset: 0) == nil)
    }

    @Test func `a device that is neither phone nor watch has no lanes`() throws {
        let other = try fleet.device("other", seed: 9)
        other.replica?.setProfile(name: "other", kind: "laptop")
        other.perform(
            try other.replica?.createGroup(name: "other", kind: "laptop", at: fleet.now) ?? [])
        #expect(throws: CompanionError.sessionNotSupported) {
            _ = try other.replica?.handle(.activate(hasDelegate: true), at: fleet.now)
        }
    }

    @Test func `a restored home starts its lanes anew`() throws {
        fleet.connect(watch, phone)
        fleet.run()
        fleet.disconnectAll()
        try queue("lost", on: watch)
        watch.crash()
        try watch.open(at: fleet.now, witness: .missing)
        watch.replica?.setProfile(name: "watch", kind: "watch")
        try activate(watch)
        #expect(watch.replica?.companion?.outstandingUserInfoTransfers.isEmpty == true)
    }
}
