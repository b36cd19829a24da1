import Glibc
import Linnet
import LinnetAPI
import LinnetCLI
import Testing

/// `linnet face` and `linnet widget` on real homes, the widget in a process without one.
@Suite struct FaceCommandTests {
    private static let noon = "2026-11-21T11:00:00Z"

    /// A phone whose owner takes Metformin three times a day in Berlin, and has once today.
    private func phone() throws -> TestDevice {
        let device = try TestDevice.founder("Phone")
        for words in [
            ["medication/met", "name=Metformin", "amount=850", "unit=mg", "isActive=true"],
            [
                "schedule/s1", "medication=met", "times=08:00,14:00,20:00", "isActive=true",
                "referenceTimeZone=Europe/Berlin",
            ],
        ] {
            try #require(try device.run(["set"] + words).code == 0)
        }
        try take("2026-11-21T07:00:00Z", device)
        return device
    }

    private func take(_ scheduled: String, _ device: TestDevice) throws {
        let name = scheduled.filter(\.isNumber)
        let outcome = try device.run([
            "set", "doseEvent/2026-11/\(name)", "medication=met", "schedule=s1",
            "scheduled=\(scheduled)", "event=taken", "at=\(scheduled)", "timeZone=Europe/Berlin",
        ])
        try #require(outcome.code == 0, "\(outcome.error)")
    }

    private func share(_ device: TestDevice) -> String { "\(device.directory)/share" }

    private func publish(_ device: TestDevice) throws {
        let outcome = try device.run(
            "widget", "publish", "--share", share(device), "--at", Self.noon, "--zone",
            "Europe/Berlin")
        try #require(outcome.code == 0, "\(outcome.error)")
    }

    /// Runs a widget with nothing in its environment that leads to a home.
    private func widget(_ device: TestDevice, _ words: [String]) throws -> TestDevice.Outcome {
        try device.run(
            ["widget"] + words + ["--share", share(device)],
            environment: [("HOME", "/nonexistent"), ("PATH", "/usr/bin:/bin")])
    }

    @Test func `a face of a home is drawn as text and as a picture`() throws {
        let device = try phone()
        let asked = ["--at", Self.noon, "--zone", "Europe/Berlin"]
        let phone = try device.run(["face", "phone"] + asked)
        #expect(phone.output.contains("Metformin"))
        #expect(phone.output.contains("1 of 3 today"))
        let path = "\(device.directory)/face.svg"
        let picture = try device.run(
            ["face", "complication", "--size", "circular", "--svg", path, "--dark", "--json"]
                + asked)
        #expect(try picture.objects().first?["state"]?.string == "known")
        #expect(device.read(path).contains("14:00"))
        let far = try device.run([
            "face", "widget", "--at", Self.noon, "--zone", "Asia/Kathmandu",
        ])
        #expect(far.output.contains("18:45"))
    }

    @Test func `a widget shows what another process left, with neither home nor keys`() throws {
        let device = try phone()
        try publish(device)
        let shown = try widget(device, ["show", "--size", "medium", "--at", Self.noon, "--json"])
        let said = try shown.objects().first
        #expect(said?["state"]?.string == "known")
        #expect(said?["says"]?.string?.contains("Metformin, 850 mg, 14:00, in 2 h") == true)
        #expect(said?["asOf"]?.string == "2026-11-21T11:00:00.000Z")
    }

    @Test func `a widget turns to unknown by itself when nobody leaves anything new`() throws {
        let device = try phone()
        try publish(device)
        let run = try widget(
            device,
            [
                "run", "--at", Self.noon, "--speed", "100000", "--until", "2026-11-21T18:00:00Z",
                "--json",
            ])
        let shown = try run.objects().filter { $0["event"]?.string == "show" }
        let states = shown.compactMap { $0["state"]?.string }
        #expect(states.first == "placeholder")
        #expect(states.contains("known"))
        #expect(states.last == "unknown")
        let turn = shown.last { $0["state"]?.string == "known" }?["staleAfter"]?.string
        #expect(turn == "2026-11-21T17:00:00.000Z")
        #expect(shown.last?["at"]?.string == turn)
    }

    @Test func `a snapshot that was changed or that another home signed is not shown`() throws {
        let device = try phone()
        try publish(device)
        let path = "\(share(device))/faces.snapshot"
        let key = device.read("\(share(device))/faces.pub").filter { $0 != "\n" }
        var bytes = try FileText.read(path)
        bytes[bytes.count / 2] ^= 1
        try FileText.write(bytes, to: path)
        let shown = try widget(device, ["show", "--at", Self.noon])
        #expect(shown.code == 0)
        #expect(shown.output.contains("Data not trusted"))

        let other = try TestDevice.founder("Other")
        let forged = try other.run(
            "widget", "publish", "--share", share(device), "--at", Self.noon, "--zone", "UTC")
        #expect(forged.code == 0)
        let fooled = try widget(device, ["show", "--at", Self.noon])
        #expect(fooled.output.contains("No medications"))
        let pinned = try widget(device, ["show", "--at", Self.noon, "--key", key])
        #expect(pinned.output.contains("Data not trusted"))
    }

    @Test func `what is recorded is published again, and a locked widget says nothing of it`()
        throws
    {
        let device = try phone()
        let follower = try device.follow([
            "widget", "publish", "--share", share(device), "--follow", "--at", Self.noon, "--zone",
            "Europe/Berlin", "--json",
        ])
        let first = try follower.next()
        try take("2026-11-21T13:00:00Z", device)
        var next = try follower.next()
        while next["frontier"] == first["frontier"] { next = try follower.next() }
        let shown = try widget(device, ["show", "--at", Self.noon])
        #expect(shown.output.contains("2 of 3 today"))
        let locked = try widget(device, ["show", "--at", Self.noon, "--locked"])
        #expect(locked.output.contains("Locked"))
        #expect(!locked.output.contains("Metformin"))
    }

    @Test func `a face that there is not, and times and zones that are none, are refused`() throws {
        let device = try phone()
        for words in [
            ["face", "fridge"], ["face", "phone", "--size", "small"],
            ["face", "widget", "--size", "circular"], ["face", "phone", "--at", "yesterday"],
            ["face", "phone", "--zone", "../../etc/passwd"],
            ["face", "phone", "--zone", "Nowhere"],
            ["widget", "show"], ["widget", "sing", "--share", "x"],
            ["widget", "run", "--share", "x", "--speed", "0"],
        ] {
            let outcome = try device.run(words)
            #expect(outcome.code == 2, "\(words): \(outcome.error)")
        }
        let missing = try widget(device, ["show"])
        #expect(missing.code == 1 && missing.error.contains("'linnet widget publish --share DIR'"))
        unsafe mkdir(share(device), 0o700)
        let empty = try widget(device, ["show"])
        #expect(empty.output.contains("Open the app once"))
    }
}
