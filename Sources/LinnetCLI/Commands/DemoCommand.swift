import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet demo`: plays a day on a phone, a watch, a laptop and their widgets, on this machine.
enum DemoCommand {
    static let command = Command(
        "demo", summary: "Watch a person's day on a phone, a watch, a laptop and their widgets.",
        details: """
            Every device is a process of its own with a home below /tmp. Laptop and phone find each
            other with mDNS; the watch has no network and talks to the phone alone. The day is
            the one before yesterday, so that it is behind every clock; its hours are handed to the
            commands, and what the story waits for is said. Each scene ends with claims that are
            checked on every device; a claim that does not hold fails the demonstration.
            --dashboard shows merging in place of the day: two devices side by side on a page, whose
            link you cut and join while you change a record on both.
            """,
        options: [
            Option("scenario", "NAME", "play one scene alone"),
            Option("list", nil, "list the scenes"),
            Option("keep", nil, "leave the devices running at the end"),
            Option("dashboard", nil, "open a page on which two devices merge"),
            Option("print", nil, "with --dashboard: show its link and start no browser"),
        ],
        example: "demo", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let output = invocation.output
        let prints = invocation.arguments.has("print")
        if invocation.arguments.has("dashboard") {
            let others = ["scenario", "list", "keep"].filter(invocation.arguments.has)
            if let other = others.first { throw .usage("--dashboard excludes --\(other)") }
            return try await MergingDemo.run(prints: prints, output)
        }
        if prints { throw .usage("--print belongs to --dashboard") }
        if invocation.arguments.has("list") { return list(output) }
        let scenes = try DemoScene.chosen(invocation.arguments.value("scenario"))
        let stage = DemoStage(try DemoPaths())
        let devices = [
            DemoDevice("Phone", kind: "phone", stage: stage),
            DemoDevice("Watch", kind: "watch", isSocketless: true, stage: stage),
            DemoDevice("Laptop", kind: "laptop", stage: stage),
        ]
        let screen = DemoScreen(output, devices)
        let day = DemoDay(stage: stage, screen: screen, devices: devices)
        do throws(ControlFailure) {
            try await stage.prepare()
            for scene in [DemoScene.meeting] + scenes { try await day.play(scene) }
            try await day.converge(devices, "At the end of the day all three hold the same.")
            try day.checkClaims()
        } catch {
            screen.end()
            stage.clear()
            stage.paths.directory.remove()
            output.result(["converged": false, "reason": .text(error.message)], "")
            throw error
        }
        screen.end()
        report(day, output)
        if invocation.arguments.has("keep") {
            output.say(keeping(devices, stage))
        } else {
            for device in devices { try? await device.stop {} }
            stage.clear()
            stage.paths.directory.remove()
        }
    }

    private static func list(_ output: Output) {
        for scene in DemoScene.all {
            let gap = String(repeating: " ", count: max(1, 18 - scene.name.count))
            output.result(
                ["scene": .text(scene.name), "title": .text(scene.title)],
                "  \(scene.name)\(gap)\(scene.title)")
        }
    }

    private static func report(_ day: DemoDay, _ output: Output) {
        let batches = day.devices.map(\.view.batches).max() ?? 0
        let bytes = day.devices.map(\.view.batchBytes).max() ?? 0
        let digests = day.devices.map { "  \($0.name): \($0.view.digest)" }
        let text =
            day.screen.table().joined(separator: "\n") + "\n\nDigests:\n"
            + digests.joined(separator: "\n")
            + "\n\(day.claims.checked) claims were checked on the devices, and all hold."
            + "\nConverged: \(Plural.batches(batches)) of \(bytes) bytes in all, on every device."
        output.say(text)
        guard output.isJSON else { return }
        let all = day.devices.map { device -> JSON in
            ["name": .text(device.name), "digest": .text(device.view.digest)]
        }
        output.result(
            [
                "converged": true, "devices": .array(all), "batches": .integer(batches),
                "bytes": .integer(bytes),
            ], "")
    }

    private static func keeping(_ devices: [DemoDevice], _ stage: DemoStage) -> String {
        var lines = ["", "The devices go on running. Talk to them with:"]
        let program = stage.paths.program
        for device in devices {
            lines.append("  " + ShellWord.line([program, "status", "--home", device.home]))
        }
        let processes = devices.compactMap(\.process) + [stage.daemon].compactMap(\.self)
        let ids = processes.map { String($0.id) }
        lines.append("End them with:")
        // The devices write when they end: their files may go only after that.
        let removal = ShellWord.line(["rm", "-rf", stage.paths.directory.path])
        lines.append("  \(ShellWord.line(["kill"] + ids)); sleep 2; \(removal)")
        return lines.joined(separator: "\n")
    }
}
