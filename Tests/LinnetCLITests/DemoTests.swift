import Linnet
import LinnetCLI
import Testing

struct DemoTests {
    @Test func `three devices find each other, pair, part and converge`() throws {
        let device = TestDevice()
        let outcome = try device.run("demo", "--json")
        #expect(outcome.code == 0, Comment(rawValue: outcome.error))
        let objects = try outcome.objects()
        let steps = objects.compactMap { $0["step"]?.string }
        #expect(steps.first == "find")
        #expect(steps.filter { $0 == "pair" }.count == 2)
        #expect(steps.last == "outcome")
        let last = try #require(objects.last)
        #expect(last["converged"] == true)
        guard case .array(let devices)? = last["devices"] else {
            Issue.record("no devices")
            return
        }
        #expect(devices.compactMap { $0["name"]?.string } == ["Laptop", "Phone", "Watch"])
        #expect(devices.allSatisfy { $0["digest"] == devices[0]["digest"] })
        #expect(devices[0]["digest"]?.string?.count == 64)
    }
}
