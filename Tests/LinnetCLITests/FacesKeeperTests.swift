import Foundation
import Glibc
import Linnet
import LinnetAPI
import LinnetFaces
import LinnetMedication
import LinnetWire
import Testing

@testable import LinnetCLI

/// `linnet run` keeps the faces of widgets and of a watch up to date.
@Suite(.timeLimit(.minutes(10)))
struct FacesKeeperTests {
    private func asOf(_ share: String) throws -> Instant {
        guard
            case .read(let snapshot) = WidgetShare(path: share).reading(
                pinned: nil, at: Instant(milliseconds: SystemClock.now().wallMilliseconds))
        else { throw CocoaError(.fileReadUnknown) }
        return snapshot.asOf
    }

    private func faces(
        _ node: FollowedCommand, for whom: String
    ) throws -> JSON {
        while true {
            let event = try node.next("faces")
            if event["for"]?.string == whom { return event }
        }
    }

    @Test func `a running node leaves a snapshot for widgets, and another when medicines change`()
        throws
    {
        let device = try TestDevice.founder("Phone")
        let share = "\(device.directory)/share"
        let node = try device.follow([
            "run", "--listen", "127.0.0.1:0", "--no-discovery", "--json", "--widgets", share,
        ])
        _ = try faces(node, for: "widgets")
        let first = try asOf(share)
        let added = try device.run(
            "med", "add", "Metformin", "--amount", "500", "--unit", "mg", "--times",
            "00:10,12:00,23:50")
        #expect(added.code == 0, "\(added.error)")
        let show = ["widget", "show", "--share", share, "--size", "medium", "--json"]
        while try !device.run(show).output.contains("Metformin") {
            _ = try faces(node, for: "widgets")
        }
        #expect(try asOf(share) > first)
        #expect(node.end() == 0)
    }

    @Test func `a phone pushes its faces to the watch by itself when a dose is taken`() throws {
        let (phone, watch) = (TestDevice(), TestDevice())
        let link = "\(phone.directory)/link"
        #expect(try phone.run("init", "--name", "Phone", "--kind", "phone").code == 0)
        let offer = try phone.follow(["pair", "--json", "--yes", "--companion-link", link])
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try watch.run(
            "join", "--json", "--name", "Watch", "--kind", "watch", "--code", code,
            "--companion-link", link)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        let words = ["run", "--json", "--companion-link", link, "--no-network"]
        let (phoneRuns, watchRuns) = (try phone.follow(words), try watch.follow(words))
        _ = try phoneRuns.next("ready")
        _ = try watchRuns.next("in-step")
        let app = try watch.follow(["companion", "watch", "--json"])
        let added = try phone.run(
            "med", "add", "Metformin", "--amount", "500", "--unit", "mg", "--times", "08:00")
        #expect(added.code == 0, "\(added.error)")
        // A person did nothing but change a medicine.
        _ = try faces(phoneRuns, for: "watch")
        var context = JSON.null
        while context["linnet.faces"] == nil {
            context = try app.next("context")["content"] ?? .null
        }
        #expect(context["linnet.faces"]?["snapshot"] != nil)
        _ = app.end()
        #expect(phoneRuns.end() == 0)
        #expect(watchRuns.end() == 0)
    }
}
