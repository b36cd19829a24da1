import LinnetWire
import Testing

@testable import LinnetReplication

/// A store behind a mailbox that keeps its objects in memory, and lies as it is told.
final class Shelf {
    var objects: [String: [UInt8]] = [:]
    /// All requests, in order.
    var asked: [MailRequest] = []
    /// Answers in place of the store; nil lets the store answer.
    var lie: ((MailRequest) -> MailAnswer?)?

    func names(_ kind: MailKind) -> [String] {
        objects.keys.filter { $0.hasPrefix("\(kind.letter)/") }.sorted()
    }

    func answer(_ request: MailRequest) -> MailAnswer {
        asked.append(request)
        if let answer = lie?(request) { return answer }
        switch request {
        case .list(let kind): return .names(names(kind))
        case .get(let name): return .bytes(objects[name.text])
        case .put(let object):
            objects[object.name.text] = object.bytes
            return .done
        case .delete(let name):
            objects[name.text] = nil
            return .done
        }
    }
}

extension Fleet {
    /// A group whose devices met after their pairing, and do not meet any more.
    func group(apart names: [String]) throws -> [Device] {
        let devices = try group(names)
        for device in devices.dropFirst() { connect(devices[0], device) }
        disconnectAll()
        return devices
    }

    /// Lets a device look into a mailbox until nothing is new; returns all rounds.
    @discardableResult
    func post(
        _ device: Device, _ shelf: Shelf, dry: Bool = false, stoppingAfter most: Int = .max,
        until stops: (MailRequest) -> Bool = { _ in false }
    ) throws -> [MailRound] {
        let added = try device.replica?.addMailbox("shelf", at: now)
        let (id, effects) = try #require(added)
        device.perform(effects)
        var rounds: [MailRound] = []
        var answers = 0
        repeat {
            device.perform(try device.replica?.beginMailRound(id, dry: dry, at: now) ?? [])
            var round: MailRound?
            while round == nil {
                guard !device.mails.isEmpty else {
                    Issue.record("a round stopped without an end")
                    return rounds
                }
                switch device.mails.removeFirst() {
                case .ended(_, let ended): round = ended
                case .ask(let id, let request):
                    guard answers < most, !stops(request) else { return rounds }
                    answers += 1
                    device.perform(
                        device.replica?.handle(
                            .mailAnswered(id, request, shelf.answer(request)), at: now) ?? [])
                }
            }
            if let round { rounds.append(round) }
            #expect(rounds.count < 20, "rounds do not end")
        } while rounds.last?.isRepeated == true && rounds.count < 20
        return rounds
    }

    /// The facts that the last look into a mailbox brought.
    func facts(_ device: Device, _ shelf: Shelf) throws -> [MailFact] {
        try post(device, shelf).last?.facts ?? []
    }
}

/// Text that hardly gets shorter by compression.
enum Noise {
    /// Returns so many letters that depend on a seed.
    static func text(_ count: Int, _ seed: Int) -> String {
        var state = UInt64(seed &* 7_919 &+ 12_345)
        var letters: [UInt8] = []
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            letters.append(UInt8(33 + (state >> 33) % 90))
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
