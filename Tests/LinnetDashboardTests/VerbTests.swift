import Foundation
import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication
import Testing

@testable import LinnetDashboard

/// The verbs, by the page's carrier.
@Suite(.timeLimit(.minutes(3)))
struct VerbTests {
    private static let samples =
        URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/docs/samples"

    private func pantry() async throws -> OpenDashboard {
        let bytes = try FileText.read(Self.samples + "/pantry.json")
        return try await OpenDashboard(schema: try SchemaFile(reading: bytes).schema)
    }

    private func write(
        _ page: PageSession, _ fields: String, verb: String = "write", record: String = "a",
        collection: String = "item"
    ) async throws -> JSON {
        try await page.ask(
            verb,
            "{\"collection\":\"\(collection)\",\"record\":\"\(record)\",\"fields\":\(fields)}")
    }

    private func item(_ page: PageSession, _ record: String = "a") async throws -> JSON? {
        try await page.ask("get", "{\"collection\":\"item\",\"record\":\"\(record)\"}")["record"]
    }

    @Test func `every kind of field is written and read`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        #expect(
            try await write(
                page,
                """
                {"name":"Tea","amount":"2.50","per":"box","tags":{"add":["a","b"],"remove":[]},
                 "stock":30,"notes":"green","shelf":["left","right"]}
                """)["outcome"] == "visible")
        let counted = try await write(page, "{\"stock\":{\"add\":-1,\"key\":\"k\"}}")
        #expect(counted["outcome"] == "visible")
        _ = try await write(page, "{\"stock\":{\"add\":-1,\"key\":\"k\"}}")
        _ = try await write(page, "{\"tags\":{\"remove\":[\"a\"]},\"notes\":\"green tea\"}")
        let fields = try #require(try await item(page)?["fields"])
        #expect(fields["name"] == "Tea")
        #expect(fields["price"]?["amount"] == .number("2.5"), "\(fields.line)")
        #expect(fields["tags"] == ["b"])
        #expect(fields["stock"] == 29)
        #expect(fields["notes"] == "green tea")
        #expect(
            fields["shelf"] == ["left", "right"] || fields["shelf"] == ["right", "left"])
        _ = try await write(page, "{\"name\":null,\"amount\":\"\"}")
        #expect(try await item(page)?["fields"]?["name"] == nil)
        await open.close()
    }

    @Test func `a write under its intent is done once`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        let body =
            "{\"collection\":\"item\",\"record\":\"a\",\"intent\":\"i\","
            + "\"fields\":{\"stock\":{\"add\":2}}}"
        #expect(try await page.ask("write", body)["repeated"] == false)
        #expect(try await page.ask("write", body)["repeated"] == true)
        #expect(try await item(page)?["fields"]?["stock"] == 2)
        await open.close()
    }

    @Test func `a deleted record is in the trash and comes back`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        let place = "{\"collection\":\"item\",\"record\":\"a\"}"
        _ = try await write(page, "{\"name\":\"Tea\"}")
        _ = try await page.ask("delete", place)
        #expect(try await item(page) == .null)
        #expect(try await page.ask("get", place)["deleted"]?["deviceName"] == "Laptop")
        guard case .array(let found)? = try await page.ask("trash", place)["records"] else {
            throw TestProblem()
        }
        #expect(found.count == 1)
        _ = try await page.ask("undelete", place)
        #expect(try await item(page)?["fields"]?["name"] == "Tea")
        #expect(
            try await page.post("delete", "{\"collection\":\"item\",\"record\":\"b\"}").status
                == 409)
        await open.close()
    }

    @Test func `history and why tell who wrote what`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        _ = try await write(page, "{\"name\":\"Tea\"}")
        _ = try await write(page, "{\"name\":\"Coffee\"}")
        let place = "\"collection\":\"item\",\"record\":\"a\""
        guard
            case .array(let changes)? = try await page.ask("history", "{\(place)}")["changes"]
        else { throw TestProblem() }
        #expect(changes.map { $0["value"] } == ["Coffee", "Tea"])
        let why = try await page.ask("why", "{\(place),\"field\":\"name\"}")
        #expect(why["value"] == "Coffee")
        guard case .array(let winners)? = why["winners"] else { throw TestProblem() }
        #expect(winners.first?["deviceName"] == "Laptop")
        await open.close()
    }

    @Test func `queries say what they read, and go on where they ended`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        for name in ["Tea", "Coffee", "Cocoa"] {
            _ = try await write(page, "{\"name\":\"\(name)\"}", record: name)
        }
        let first = try await page.ask(
            "query", "{\"collection\":\"item\",\"sort\":\"-name\",\"limit\":2}")
        guard case .array(let records)? = first["records"] else { throw TestProblem() }
        #expect(records.map { $0["id"] } == ["Tea", "Coffee"])
        #expect(first["plan"]?["sentence"]?.string?.isEmpty == false)
        let next = try #require(first["next"]?.string)
        let second = try await page.ask(
            "query",
            "{\"collection\":\"item\",\"sort\":\"-name\",\"limit\":2,\"after\":\"\(next)\"}")
        guard case .array(let rest)? = second["records"] else { throw TestProblem() }
        #expect(rest.map { $0["id"] } == ["Cocoa"])
        let found = try await page.ask(
            "count", "{\"collection\":\"item\",\"where\":\"name contains 'Co'\"}")
        #expect(found["count"] == 2)
        await open.close()
    }

    @Test func `figures are exact, and a text is edited in code units`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        for (record, amount, per) in [
            ("a", "0.1", "box"), ("b", "0.2", "box"), ("c", "5", "piece"),
        ] {
            let fields = "{\"amount\":\(amount),\"per\":\"\(per)\"}"
            _ = try await write(page, fields, record: record)
        }
        let found = try await page.ask(
            "figures",
            "{\"collection\":\"item\",\"sum\":[\"amount\"],\"count\":true,"
                + "\"by\":[\"per\"]}")
        guard case .array(let groups)? = found["groups"] else { throw TestProblem() }
        #expect(groups.map { $0["by"]?["per"] } == ["box", "piece"])
        #expect(
            groups.first?["figures"]?.line
                == #"[{"figure":"count","field":null,"value":2,"exact":true},"#
                + #"{"figure":"sum","field":"amount","value":0.3,"exact":true}]"#)
        #expect(found["plan"]?["plan"] == "scan")
        #expect(try await page.post("figures", "{\"collection\":\"item\"}").status == 400)
        let place = "\"collection\":\"item\",\"record\":\"a\",\"field\":\"notes\""
        _ = try await page.ask("edit", "{\(place),\"at\":0,\"insert\":\"😀b\"}")
        _ = try await page.ask(
            "edit", "{\(place),\"at\":2,\"delete\":1,\"insert\":\"c\",\"unit\":\"utf16\"}")
        #expect(try await item(page)?["fields"]?["notes"] == "😀c")
        // The first character has two code units.
        let torn = try await page.post(
            "edit", "{\(place),\"at\":1,\"insert\":\"x\",\"unit\":\"utf16\"}")
        #expect(torn.status == 400)
        #expect(try await item(page)?["fields"]?["notes"] == "😀c")
        #expect(try await page.post("edit", "{\(place),\"at\":1,\"unit\":\"x\"}").status == 400)
        await open.close()
    }

    @Test func `an order is changed by moving`() async throws {
        let open = try await pantry()
        let page = try await open.enter()
        for record in ["a", "b"] { _ = try await write(page, "{\"name\":\"x\"}", record: record) }
        for record in ["a", "b"] {
            _ = try await page.ask(
                "move",
                "{\"collection\":\"item\",\"record\":\"\(record)\",\"field\":\"place\","
                    + "\"first\":true}")
        }
        let sorted = try await page.ask("query", "{\"collection\":\"item\",\"sort\":[\"place\"]}")
        guard case .array(let records)? = sorted["records"] else { throw TestProblem() }
        #expect(records.map { $0["id"] } == ["b", "a"])
        await open.close()
    }

    @Test func `a dose is taken once under its intent, and the faces are pictures`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        _ = try await page.ask(
            "write",
            "{\"collection\":\"medication\",\"record\":\"m1\",\"fields\":{\"name\":\"Tea\"}}")
        let take = "{\"medication\":\"m1\",\"additional\":true,\"intent\":\"t\"}"
        #expect(try await page.ask("med-take", take)["changed"] == true)
        #expect(try await page.ask("med-take", take)["changed"] == false)
        let today = try await page.ask("med-today")
        guard case .array(let doses)? = today["doses"] else { throw TestProblem() }
        #expect(doses.map { $0["status"] } == ["taken"], "\(today.line)")
        for name in ["phone", "watch", "widget-small", "complication-circular"] {
            let face = try await page.get("/face/\(name).svg?dark=1")
            #expect(face.header("content-type") == "image/svg+xml", "\(name) \(face.text)")
            #expect(face.text.hasPrefix("<"), "\(name)")
        }
        for verb in ["med-list", "med-adherence", "med-alerts", "med-journeys"] {
            #expect(try await page.post(verb, "{}").status == 200, "\(verb)")
        }
        await open.close()
    }

    @Test func `pairing is offered with a picture, and cancelled`() async throws {
        let open = try await OpenDashboard()
        let page = try await open.enter()
        #expect(try await page.ask("pairing")["state"] == "none")
        let offered = try await page.ask("pair")
        #expect(offered["state"] == "offered")
        let picture = try await page.get(try #require(offered["qr"]?.string))
        #expect(picture.text.hasPrefix("<svg"))
        #expect(try await page.post("pair", "{}").status == 409)
        _ = try await page.ask("pair-cancel")
        var state = try await page.ask("pairing")["state"]
        // The end of the pairing is told by another task.
        while state == "offered" { state = try await page.ask("pairing")["state"] }
        #expect(state == "ended")
        await open.close()
    }

    @Test func `markup in names and values stays text in pages and pictures`() async throws {
        let mark = "<script>alert(1)</script>"
        let open = try await OpenDashboard(name: mark)
        let page = try await open.enter()
        _ = try await page.ask(
            "write",
            "{\"collection\":\"medication\",\"record\":\"m1\",\"fields\":{\"name\":\"\(mark)\","
                + "\"instructions\":\"\(mark)\"}}")
        _ = try await page.ask(
            "med-take",
            "{\"medication\":\"m1\",\"additional\":true,\"intent\":\"t\",\"note\":\"\(mark)\"}")
        let report = try await page.get("/report.html")
        #expect(report.status == 200)
        #expect(report.text.contains("&lt;script&gt;"))
        #expect(!report.text.contains("<script"))
        #expect(!report.text.contains("<style"))
        // Otherwise a browser asks for /favicon.ico.
        #expect(report.text.contains("rel=\"icon\" href=\"/icon.svg\""))
        for name in ["phone", "watch", "widget-small"] {
            #expect(!(try await page.get("/face/\(name).svg").text.contains("<script")))
        }
        let wrong = try await RawHTTP.ask(
            open.port, RawHTTP.get("/\(mark)", open.host, ["Accept: text/html"]))
        #expect(!wrong.text.contains("<script") && wrong.text.contains("rel=\"icon\""))
        await open.close()
    }

    @Test func `the page's files are all within the program`() throws {
        let root = URL(filePath: Self.samples).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CDashboardPage/page")
        let files = PageFiles()
        let names = try #require(FileManager.default.enumerator(atPath: root.path))
        var count = 0
        for case let name as String in names where name.contains(".") {
            let bytes = try FileText.read("\(root.path)/\(name)")
            let isSame = files.answer(name)?.body == bytes
            #expect(isSame, "run scripts/dashboard-page: \(name)")
            count += 1
        }
        #expect(count > 5)
    }
}
