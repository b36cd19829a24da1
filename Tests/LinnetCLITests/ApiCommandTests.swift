import Foundation
import Linnet
import LinnetAPI
import Testing

@testable import LinnetCLI

/// `linnet api`, as programs use it.
@Suite(.timeLimit(.minutes(5)))
struct ApiCommandTests {
    /// Runs lines through the command in a home of its own, and returns the lines that it answers.
    private func answers(_ lines: [String], _ device: TestDevice) throws -> [JSON] {
        let input = try device.write("requests.jsonl", lines.joined(separator: "\n") + "\n")
        let output = "\(device.directory)/answers.out"
        let process = try ChildProcess(
            [
                "/bin/bash", "-c",
                "exec '\(TestDevice.program)' api --home '\(device.home)' < '\(input)'",
            ], environment: [], output: output, error: "\(output).err")
        let outcome = device.finish(process, output)
        try #require(outcome.code == 0, "\(outcome.error)")
        return try outcome.output.split(separator: "\n").map {
            try JSONReader.read(Array($0.utf8))
        }
    }

    private func made() throws -> TestDevice {
        try TestDevice.founder()
    }

    @Test func `each request is answered under its identifier, in order`() throws {
        let device = try made()
        let said = try answers(
            [
                "{\"id\":1,\"do\":\"identity\"}",
                "{\"id\":\"two\",\"do\":\"write\",\"collection\":\"medication\",\"record\":\"m1\","
                    + "\"fields\":{\"name\":\"Tea\"},\"intent\":\"a\"}",
                "{\"id\":3,\"do\":\"write\",\"collection\":\"medication\",\"record\":\"m1\","
                    + "\"fields\":{\"name\":\"Tea\"},\"intent\":\"a\"}",
                "{\"id\":4,\"do\":\"get\",\"collection\":\"medication\",\"record\":\"m1\"}",
            ], device)
        #expect(said[0]["linnet"] == 1)
        #expect(said[1]["ok"]?["name"] == "Laptop")
        #expect(said[2]["id"] == "two")
        #expect(said[2]["ok"]?["repeated"] == false)
        #expect(said[3]["ok"]?["repeated"] == true)
        #expect(said[4]["ok"]?["record"]?["fields"]?["name"] == "Tea")
    }

    @Test func `what is wrong is told, and the next request is answered`() throws {
        let device = try made()
        let long = "{\"id\":1,\"do\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"
        let said = try answers(
            [
                "{", "[]", "{\"id\":3,\"do\":\"statis\"}", long,
                "{\"id\":5,\"do\":\"pair\"}", "{\"id\":6,\"do\":\"count\",\"collection\":\"x\"}",
                "{\"id\":7,\"do\":\"status\",\"unknown\":true}",
            ], device)
        let codes = said.dropFirst().map { $0["error"]?["code"]?.string }
        #expect(codes == ["usage", "usage", "usage", "size", "usage", "usage", nil])
        #expect(said[3]["error"]?["message"]?.string?.contains("did you mean 'status'") == true)
        #expect(said[7]["ok"]?["running"] == false)
    }

    @Test func `numbers beyond two to the fifty-third are texts where that is asked for`() throws {
        let device = TestDevice()
        let made = try device.run(
            "init", "--name", "Pantry", "--kind", "laptop", "--schema",
            WrongInputFixture.samples + "/pantry.json")
        try #require(made.code == 0, "\(made.error)")
        let number = "9007199254740993"
        let place = "\"collection\":\"item\",\"record\":\"s1\""
        let said = try answers(
            [
                "{\"id\":1,\"do\":\"write\",\(place),\"fields\":{\"stock\":\(number)}}",
                "{\"id\":2,\"do\":\"get\",\(place)}",
                "{\"id\":3,\"do\":\"get\",\(place),\"digits\":\"text\"}",
            ], device)
        #expect(said[2]["ok"]?["record"]?["fields"]?["stock"] == .number(number), "\(said)")
        #expect(said[3]["ok"]?["record"]?["fields"]?["stock"] == .text(number), "\(said)")
    }

    @Test func `the Python example does what the page about the API says`() throws {
        let device = try made()
        let root = WrongInputFixture.samples.replacing("/docs/samples", with: "")
        let program = URL(filePath: TestDevice.program).deletingLastPathComponent().path
        var lines: [[Substring]] = []
        for _ in 0..<2 {
            let output = "\(device.directory)/python.out"
            let process = try ChildProcess(
                ["/usr/bin/env", "python3", "\(root)/docs/samples/tea.py"],
                environment: [
                    ("PATH", "\(program):/usr/bin:/bin"), ("LINNET_HOME", device.home),
                ], output: output, error: "\(output).err")
            let outcome = device.finish(process, output)
            try #require(outcome.code == 0, "\(outcome.error)")
            lines.append(outcome.output.split(separator: "\n"))
        }
        #expect(lines[0].prefix(3) == ["speaks version 1", "written", "m1 Camomile tea"])
        #expect(lines[1][1] == "was written before")
        #expect(lines[1].last?.hasPrefix("by Laptop") == true)
    }
}
