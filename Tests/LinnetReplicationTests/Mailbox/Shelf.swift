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
    /// Lets a device look into a mailbox until nothing is new; returns all rounds.
    @discardableResult
    func post(
        _ device: Device, _ shelf: Shelf, dry: Bool = false, stoppingAfter most: Int = .max
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
                    guard answers < most else { return rounds }
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
