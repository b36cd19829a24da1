import Linnet
import LinnetCLI
import Testing

/// Homes are compacted as processes, and go on.
@Suite(.timeLimit(.minutes(15)))
struct CompactCommandTests: GroupOnLoopback {
    @Test func `older changes are folded, and a newcomer gets what they came to`() throws {
        let laptop = try TestDevice.founder()
        for number in 1...20 {
            #expect(try laptop.run("set", "medication/m1", "name=Tea \(number)").code == 0)
        }
        // All of it is of the last days.
        let nothing = try laptop.run("compact")
        #expect(nothing.output.contains("Nothing was folded."), "\(nothing)")
        #expect(try laptop.run("set", "medication/m2", "name=Salt").code == 0)
        #expect(try laptop.run("set", "medication/m1", "name=Tea 20").code == 0)
        let before = try laptop.run("digest", "--json").objects()[0]["digest"]?.line
        let running = try RunningDevice(laptop)
        let folded = try laptop.run("compact", "--keep-days", "0", "--json").objects()[0]
        #expect(folded["folded"]?.line == "23", "\(folded)")
        // Its batch is gone, and its writer is known.
        let history = try laptop.run("history", "medication/m2")
        #expect(history.output.contains("Laptop") && history.output.contains("name = Salt"))
        #expect(try laptop.run("why", "medication/m2", "name").output.contains("Laptop"))
        #expect(try laptop.run("history", "medication/m3").error.contains("nothing was ever"))

        #expect(folded["holdbacks"]?.line == "[]")
        #expect(try laptop.run("digest", "--json").objects()[0]["digest"]?.line == before)
        let tablet = try admit("Tablet", by: running)
        #expect(try tablet.run("sync", "--peer", running.peer).code == 0)
        #expect(try title("m1", on: tablet).contains("Tea 20"))
        let doctor = try tablet.run("doctor", "--deep")
        #expect(doctor.output.contains("records match their changes"), "\(doctor)")
        let digests = try [laptop, tablet].map {
            try $0.run("digest", "--json").objects()[0]["digest"]?.line
        }
        #expect(digests[0] == digests[1])
    }

    @Test func `days that are no number are refused`() throws {
        let laptop = try TestDevice.founder()
        let refused = try laptop.run("compact", "--keep-days", "some")
        #expect(refused.code == 2)
        #expect(refused.error.contains("--keep-days must be a whole number"), "\(refused.error)")
    }
}
