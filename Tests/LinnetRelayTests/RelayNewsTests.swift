import LinnetSystem
import Testing

@testable import LinnetRelay

/// Waits for news at a real relay.
@Suite(.timeLimit(.minutes(3)))
struct RelayNewsTests {
    private let fixture = RelayFixture()

    private func teller(
        _ relay: Relay, _ name: String, _ password: String
    ) throws -> any NewsTeller {
        try #require(try RelayFixture.store(relay, name, password).newsTeller)
    }

    @Test func `a wait ends with what another account puts, and not with one's own`()
        async throws
    {
        let (phone, laptop) = (try fixture.add("phone"), try fixture.add("laptop"))
        try await fixture.serving { relay in
            let store = try RelayFixture.store(relay, "phone", phone)
            let other = try RelayFixture.store(relay, "laptop", laptop)
            let news = try teller(relay, "phone", phone)
            let first = try await outcome { () throws(MailboxError) in
                try news.news(since: nil, until: StopFlag())
            }.get()
            #expect(first == 0)
            async let told = outcome { () throws(MailboxError) in
                try news.news(since: first, until: StopFlag())
            }
            // Its own object is number 1; the wait is answered by number 2, whenever it began.
            for (store, number) in [(store, 1), (other, 2)] {
                _ = try await outcome { () throws(MailboxError) in
                    try store.put([1], RelayFixture.name(number))
                }.get()
            }
            #expect(try await told.get() == 2)
            // An object that lies there already is told at once.
            let again = try await outcome { () throws(MailboxError) in
                try news.news(since: 1, until: StopFlag())
            }.get()
            #expect(again == 2)
        }
    }

    @Test func `a wait ends when its client wants it no more, and when the relay stops`()
        async throws
    {
        let phone = try fixture.add("phone")
        let stop = StopFlag()
        let late = try await fixture.serving { relay in
            let news = try teller(relay, "phone", phone)
            async let given = outcome { () throws(MailboxError) in
                try news.news(since: 0, until: stop)
            }
            stop.raise()
            let ended = await given
            #expect(throws: MailboxError.self) { _ = try ended.get() }
            let other = try teller(relay, "phone", phone)
            return Task {
                await outcome { () throws(MailboxError) in
                    try other.news(since: 0, until: StopFlag())
                }
            }
        }
        // It may have been asked before the end or after it.
        let ended = await late.value
        #expect(throws: MailboxError.self) { _ = try ended.get() }
    }

    @Test func `one account waits so often, and its oldest wait gives way`() async throws {
        let phone = try fixture.add("phone")
        try await fixture.serving { relay in
            let waits = try (0...RelayLimits.waitsOfOne).map { _ in
                let news = try teller(relay, "phone", phone)
                return Task {
                    await outcome { () throws(MailboxError) in
                        try news.news(since: 0, until: StopFlag())
                    }
                }
            }
            // One of them ends at once, with the number that it knew; the others with the relay.
            let ended = await withTaskGroup { group in
                for wait in waits { group.addTask { await wait.value } }
                let first = await group.next()
                await relay.close()
                return first
            }
            #expect(try ended?.get() == 0)
        }
    }
}
