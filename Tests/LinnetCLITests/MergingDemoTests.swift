import Linnet
import Testing

/// The demonstration on a page, as a command.
struct MergingDemoTests {
    private let device = TestDevice()

    @Test func `the demonstration serves its page until it is ended`() throws {
        let demo = try device.follow(["demo", "--dashboard", "--print", "--json"])
        let url = try #require(try demo.next()["url"]?.string)
        #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/open#[0-9a-f]{64}/) != nil)
        #expect(demo.end() == 0)
    }

    @Test func `it excludes what belongs to the day`() throws {
        #expect(try device.run("demo", "--dashboard", "--keep").code == 2)
        #expect(try device.run("demo", "--print").code == 2)
    }
}
