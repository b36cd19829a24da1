import Linnet
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet demo`: three devices on this machine.
enum DemoCommand {
    static let command = Command(
        "demo", summary: "Watch three devices on this machine pair, part and converge.",
        details: """
            Starts three 'linnet run' in homes of their own below /tmp, lets them find each other
            with mDNS, and plays a few seconds of edits made together and apart.
            """,
        options: [Option("keep", nil, "leave the devices running at the end")],
        example: "demo", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let output = invocation.output
        let stage = DemoStage(try DemoPaths())
        let devices = [
            DemoDevice("Laptop", kind: "laptop", stage: stage),
            DemoDevice("Phone", kind: "phone", stage: stage),
            DemoDevice("Watch", kind: "watch", stage: stage),
        ]
        let screen = DemoScreen(output, devices)
        do throws(ControlFailure) {
            try await stage.prepare()
            try await DemoPlay(
                stage: stage, screen: screen, laptop: devices[0], phone: devices[1],
                watch: devices[2]
            ).perform()
        } catch {
            screen.end()
            stage.clear()
            stage.paths.directory.remove()
            output.result(["converged": false, "reason": .text(error.message)], "")
            throw error
        }
        screen.end()
        report(devices, screen, output)
        if invocation.arguments.has("keep") {
            output.say(keeping(devices, stage))
        } else {
            for device in devices { try? await device.stop {} }
            stage.clear()
            stage.paths.directory.remove()
        }
    }

    private static func report(
        _ devices: [DemoDevice], _ screen: DemoScreen, _ output: Output
    ) {
        let batches = devices.map(\.view.batches).max() ?? 0
        let bytes = devices.map(\.view.batchBytes).max() ?? 0
        let digests = devices.map { "  \($0.name): \($0.view.digest)" }
        let text =
            screen.table().joined(separator: "\n") + "\n\nDigests:\n"
            + digests.joined(separator: "\n")
            + "\nConverged: \(batches) batches of \(bytes) bytes in all, on every device."
        output.say(text)
        if output.isJSON {
            let all = devices.map { device -> JSON in
                ["name": .text(device.name), "digest": .text(device.view.digest)]
            }
            output.result(
                [
                    "converged": true, "devices": .array(all), "batches": .integer(batches),
                    "bytes": .integer(bytes),
                ], "")
        }
    }

    private static func keeping(_ devices: [DemoDevice], _ stage: DemoStage) -> String {
        var lines = ["", "The devices go on running. Talk to them with:"]
        for device in devices {
            lines.append("  \(stage.paths.program) --home \(device.home) status")
        }
        let processes = devices.compactMap(\.process) + [stage.daemon].compactMap(\.self)
        let ids = processes.map { String($0.id) }.joined(separator: " ")
        lines.append("End them with:  kill \(ids); rm -r \(stage.paths.directory)")
        return lines.joined(separator: "\n")
    }
}
