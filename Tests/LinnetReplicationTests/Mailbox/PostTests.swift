import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// The machine of one mailbox alone: it decides what is asked of a store.
@Suite struct PostTests {
    private let life = Incarnation(repeating: 2)

    private func name(_ kind: MailKind, _ byte: UInt8) -> MailName {
        MailName(kind, Bytes16(repeating: byte))
    }

    private func object(_ kind: MailKind, _ byte: UInt8) -> MailObject {
        MailObject(name: name(kind, byte), bytes: [byte])
    }

    private func head(_ number: UInt64, of device: UInt8 = 3) -> MailHead {
        MailHead(
            group: .zero, device: DeviceID(repeating: device), incarnation: life, number: number,
            previous: .zero)
    }

    private func own(_ number: UInt64, _ byte: UInt8) -> Post.Leaving {
        .head(object(.head, byte), head(number, of: 1), epoch: .zero)
    }

    private func begun() -> Post {
        var post = Post(PostState(address: "place"))
        post.begin()
        return post
    }

    /// Answers the listings with these names.
    private func list(_ names: [MailName], _ post: inout Post) {
        for kind in MailKind.allCases {
            #expect(post.step() == .ask(.list(kind)))
            let texts = names.filter { $0.kind == kind }.map(\.text)
            #expect(post.take(.names(texts), to: .list(kind)) == nil)
        }
    }

    /// Carries a round to where it is chosen what is left.
    private func passOver(_ post: inout Post) {
        while case .ask(let request) = post.step() { _ = post.take(.bytes(nil), to: request) }
        post.want([])
        #expect(post.step() == .chooseLeaving)
    }

    @Test func `an idle post asks nothing, and a second begin changes nothing`() {
        var post = Post(PostState(address: "place"))
        #expect(post.step() == .wait)
        post.begin()
        #expect(post.step() == .ask(.list(.head)))
        post.begin(.dry)
        #expect(!post.isDry)
        // One request at a time.
        #expect(post.step() == .wait)
    }

    @Test func `an answer to what was not asked is passed over, and one of another kind ends it`() {
        var post = begun()
        _ = post.step()
        #expect(post.take(.done, to: .delete(name(.pack, 1))) == nil)
        #expect(post.step() == .wait)
        #expect(post.take(.done, to: .list(.head)) == nil)
        guard case .end(let round) = post.step() else {
            Issue.record("it goes on")
            return
        }
        #expect(round.failure != nil)
    }

    @Test func `a head is kept, put, and read back before it counts`() {
        var post = begun()
        list([], &post)
        passOver(&post)
        post.leave(own(5, 9))
        // What must be remembered is there before the request.
        #expect(post.state.number == 5 && !post.state.isConfirmed)
        #expect(post.step() == .ask(.put(object(.head, 9))))
        _ = post.take(.done, to: .put(object(.head, 9)))
        #expect(!post.state.isConfirmed)
        #expect(post.step() == .ask(.get(name(.head, 9))))
        let arrival = post.take(.bytes([9]), to: .get(name(.head, 9)))
        #expect(arrival == .kept(own(5, 9)))
        #expect(post.state.isConfirmed)
    }

    @Test(arguments: [nil, [8], [9, 9]] as [[UInt8]?])
    func `what is read back otherwise than it was put counts for nothing`(bytes: [UInt8]?) {
        var post = begun()
        list([], &post)
        passOver(&post)
        let pack = PackReference(
            hash: Bytes16(repeating: 9), key: .zero, generation: 1, ranges: [])
        post.leave(.pack(object(.pack, 9), pack, retiring: []))
        _ = post.step()
        _ = post.take(.done, to: .put(object(.pack, 9)))
        _ = post.step()
        _ = post.take(.bytes(bytes), to: .get(name(.pack, 9)))
        #expect(post.state.packs.isEmpty)
        guard case .end(let round) = post.step() else {
            Issue.record("it goes on")
            return
        }
        #expect(round.failure != nil && round.put.objects == 0)
    }

    @Test func `nothing is deleted before the own head was read back`() {
        for isConfirmed in [false, true] {
            var post = begun()
            list([name(.head, 4)], &post)
            passOver(&post)
            if isConfirmed {
                post.leave(own(5, 9))
                _ = post.step()
                _ = post.take(.done, to: .put(object(.head, 9)))
                _ = post.step()
                _ = post.take(.bytes([9]), to: .get(name(.head, 9)))
            }
            post.leaveNothingMore(deleting: [name(.head, 4), name(.head, 77)])
            let step = post.step()
            #expect((step == .ask(.delete(name(.head, 4)))) == isConfirmed)
        }
    }

    @Test func `an older head says nothing, and two of one number are told`() {
        var post = begun()
        post.learn(head(4), hash: Bytes16(repeating: 4), epoch: .zero)
        post.learn(head(3), hash: Bytes16(repeating: 3), epoch: .zero)
        #expect(post.known.heads.values.map(\.head.number) == [4])
        post.learn(head(4), hash: Bytes16(repeating: 5), epoch: .zero)
        #expect(post.round.facts == [.twoHeads(DeviceID(repeating: 3))])
        #expect(post.known.heads.values.map(\.hash) == [Bytes16(repeating: 4)])
    }

    @Test func `no more strange objects are got in a round than are allowed`() {
        var post = Post(PostState(address: "place"))
        let names = (0..<MailListing.strangers + 10).map { index in
            let bytes = [UInt8](repeating: 0, count: 14) + [UInt8(index / 256), UInt8(index % 256)]
            return MailName(.head, Bytes16(bytes) ?? .zero)
        }
        var got = OrderedSet<MailName>()
        for round in 1...2 {
            post.begin()
            list(names, &post)
            var count = 0
            while case .ask(let request) = post.step(), case .get(let name) = request {
                _ = post.take(.bytes([1]), to: request)
                post.noteUnreadable(name, bytes: 1)
                got.insert(name)
                count += 1
                // What was never got comes before what did not open.
                #expect(round == 1 || count > 10 || got.count == MailListing.strangers + count)
            }
            #expect(count == MailListing.strangers)
            passOver(&post)
            post.leaveNothingMore(deleting: [])
            guard case .end = post.step() else {
                Issue.record("it goes on")
                return
            }
        }
        #expect(got.count == names.count)
    }

    @Test func `an object that does not open is got again, after longer and longer pauses`() {
        var post = Post(PostState(address: "place"))
        let name = MailName(.head, Bytes16(repeating: 3))
        var rounds: [Int] = []
        for round in 1...50 {
            post.begin()
            list([name], &post)
            if case .ask(.get(name)) = post.step() {
                rounds.append(round)
                _ = post.take(.bytes([1]), to: .get(name))
                post.noteUnreadable(name, bytes: 1)
            }
            passOver(&post)
            post.leaveNothingMore(deleting: [])
            guard case .end(let outcome) = post.step() else {
                Issue.record("it goes on")
                return
            }
            #expect(outcome.facts == [.unreadable(1)])
        }
        #expect(rounds == [1, 2, 4, 8, 16, 32, 48])
        post.hurry()
        post.begin()
        list([name], &post)
        #expect(post.step() == .ask(.get(name)))
        _ = post.take(.bytes([1]), to: .get(name))
        post.noteRead(name)
        passOver(&post)
        post.leaveNothingMore(deleting: [])
        guard case .end(let outcome) = post.step() else {
            Issue.record("it goes on")
            return
        }
        #expect(outcome.facts.isEmpty)
    }

    @Test func `own objects are left anew only when they were twice not listed`() {
        var state = PostState(address: "place")
        (state.head, state.isConfirmed, state.number) = (Bytes16(repeating: 9), true, 5)
        var post = Post(state)
        for round in 1...2 {
            post.begin()
            list([], &post)
            #expect(post.state.isConfirmed == (round == 1))
            passOver(&post)
            post.leaveNothingMore(deleting: [])
            guard case .end(let outcome) = post.step() else {
                Issue.record("it goes on")
                return
            }
            #expect(outcome.isRepeated == (round == 1))
            #expect(outcome.facts.contains(.lacking) == (round == 2))
        }
    }

    @Test func `a failure ends a round and the next one begins anew`() {
        var post = begun()
        _ = post.step()
        _ = post.take(.failed("503"), to: .list(.head))
        guard case .end(let round) = post.step() else {
            Issue.record("it goes on")
            return
        }
        #expect(round.failure == "503")
        #expect(post.isIdle)
        post.begin()
        #expect(post.step() == .ask(.list(.head)))
    }

    @Test func `a delete that fails stops nothing`() {
        var post = begun()
        list([name(.head, 4)], &post)
        passOver(&post)
        post.leave(own(5, 9))
        _ = post.step()
        _ = post.take(.done, to: .put(object(.head, 9)))
        _ = post.step()
        _ = post.take(.bytes([9]), to: .get(name(.head, 9)))
        post.leaveNothingMore(deleting: [name(.head, 4)])
        _ = post.step()
        _ = post.take(.failed("denied"), to: .delete(name(.head, 4)))
        guard case .end(let round) = post.step() else {
            Issue.record("it goes on")
            return
        }
        #expect(round.failure == nil && round.deleted == 0)
    }
}
