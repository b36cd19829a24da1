import Linnet
import LinnetAPI
import LinnetControl
import Testing

@testable import LinnetDashboard

/// A screen that a program adds to the page of its node.
@Suite(.timeLimit(.minutes(5)))
struct DashboardGuestTests {
    private struct Guest: DashboardGuest {
        let screen = "merging"
        let news: AsyncStream<Void>

        func carryOut(
            _ verb: String, _ members: VerbMembers
        ) async throws(ControlFailure) -> JSON? {
            guard verb == "merging" else { return nil }
            return ["said": .text(try members.text("word"))]
        }
    }

    @Test func `its verbs are carried out for who has a session and its token`() async throws {
        let (news, _) = AsyncStream.makeStream(of: Void.self)
        let page = try await OpenDashboard(guest: Guest(news: news))
        let session = try await page.enter()
        #expect(try await session.ask("merging", #"{"word":"x"}"#)["said"] == "x")
        #expect(try await session.get("/session").json()["ok"]?["guest"] == "merging")
        #expect(try await session.post("merging", "{}").status == 400)
        #expect(try await session.post("nothing", "{}").status == 400)
        let stranger = PageSession(port: session.port, cookie: session.cookie, token: "00")
        #expect(try await stranger.post("merging", #"{"word":"x"}"#).status == 403)
        await page.close()
    }

    @Test func `without a guest there is no such screen`() async throws {
        let page = try await OpenDashboard()
        let session = try await page.enter()
        #expect(try await session.get("/session").json()["ok"]?["guest"] == .null)
        #expect(try await session.post("merging", "{}").status == 400)
        await page.close()
    }

    @Test func `its news reach the pages as a change of the state`() async throws {
        let (news, tell) = AsyncStream.makeStream(of: Void.self)
        let page = try await OpenDashboard(guest: Guest(news: news))
        let session = try await page.enter()
        let before = try #require(try await session.post("pairing", "{}").json()["seq"])
        tell.yield()
        // The page asks as long as nothing was told.
        while try await session.post("pairing", "{}").json()["seq"] == before {
            await Task.yield()
        }
        await page.close()
    }
}
