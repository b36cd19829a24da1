import Linnet
import Testing

/// Devices of one group that run as processes over loopback, and what tests of them do again and
/// again.
protocol GroupOnLoopback {}

/// A device whose node runs.
struct RunningDevice {
    let device: TestDevice
    let command: FollowedCommand
    let peer: String

    init(_ device: TestDevice, dialling other: String? = nil) throws {
        self.device = device
        command = try device.follow(
            ["run", "--json", "--listen", "127.0.0.1:0", "--no-discovery"]
                + (other.map { ["--peer", $0] } ?? []))
        let port = try command.next("ready")["port"]?.line
        peer = "127.0.0.1:\(try #require(port))"
    }
}

extension GroupOnLoopback {
    func admit(
        _ name: String, by member: RunningDevice, role: String? = nil, scopes: String? = nil
    ) throws -> TestDevice {
        let newcomer = TestDevice()
        let offer = try member.device.follow(
            ["pair", "--json", "--yes", "--no-discovery"] + (role.map { ["--role", $0] } ?? [])
                + (scopes.map { ["--scopes", $0] } ?? []))
        let code = try #require(try offer.next()["code"]?.string)
        let joined = try newcomer.run(
            "join", "--json", "--name", name, "--kind", "phone", "--code", code, "--peer",
            member.peer)
        #expect(joined.code == 0, "\(joined.error)")
        #expect(offer.waitForEnd() == 0)
        #expect(try newcomer.run("sync", "--peer", member.peer).code == 0)
        return newcomer
    }

    func title(_ id: String, on device: TestDevice) throws -> String {
        try device.run("get", "medication/\(id)").output
    }
}
