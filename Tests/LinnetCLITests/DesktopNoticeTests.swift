import Glibc
import LinnetCLI
import Testing

@testable import LinnetDesktop

/// A desktop that is not there, and what a server is given. Scripts try real ones.
struct DesktopNoticeTests {
    private let notice = DesktopNotice(
        title: "A <b>", body: "x < y & z > \"w\"", actions: [DesktopNotice.Action("take", "Take")])

    @Test func `a body is written out for a server that reads markup, and a title never`() {
        let shown = notice.text(for: ["body-markup", "actions"])
        #expect(shown.body == "x &lt; y &amp; z &gt; \"w\"" && shown.title == "A <b>")
        #expect(shown.actions == notice.actions)
        let plain = notice.text(for: ["body"])
        #expect(plain.body == notice.body && plain.actions.isEmpty)
    }

    @Test func `without a bus nothing is shown, and the reason is given`() async throws {
        let desktop = try #require(Desktop(address: "unix:path=/nonexistent/bus") { _ in })
        await #expect(throws: DesktopError.noBus(ENOENT)) {
            try await desktop.show(notice, replacing: nil)
        }
        #expect(await desktop.server() == .noBus(ENOENT))
        await desktop.stop()
    }

    @Test func `reminders are asked for as a whole, and doctor says what they lack`() throws {
        let device = try TestDevice.founder()
        #expect(try device.run("run", "--discreet").code == 2)
        #expect(try device.run("run", "--quiet-hours", "22:00-07:00").code == 2)
        #expect(try device.run("run", "--remind", "--quiet-hours", "late").code == 2)
        let doctor = try device.run(
            ["doctor", "--home", device.home],
            environment: [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")])
        #expect(doctor.output.contains("reminders: note: there is no session bus"))
    }
}
