import Linnet
import LinnetCLI
import Testing

/// Shell scripts in a mount namespace of their own, where a disk is mounted that nobody else sees.
enum PrivateDisk {
    /// Whether this machine lets us mount one.
    static let isPossible: Bool = {
        let device = TestDevice()
        let line = "mount -t tmpfs -o size=1m tmpfs \(device.directory)"
        guard let script = try? device.write("try", line) else { return false }
        return (try? run(script, device).code) == 0
    }()

    static func run(_ script: String, _ device: TestDevice) throws -> TestDevice.Outcome {
        let output = "\(device.directory)/shell.out"
        let process = try ChildProcess(
            ["/usr/bin/unshare", "-m", "/bin/sh", "-e", script], environment: [], output: output,
            error: "\(output).err")
        return device.finish(process, output)
    }

    /// Runs commands of a home on a small disk; returns what each of them came to.
    static func steps(
        _ lines: String, _ device: TestDevice
    ) throws -> [String: TestDevice.Outcome] {
        _ = try device.write("schema.json", KindCommandTests.schema)
        return try outcomes(
            """
            D=\(device.directory); L=\(TestDevice.program); H=$D/disk/home
            mkdir $D/disk; mount -t tmpfs -o size=4m tmpfs $D/disk
            step() { name=$1; shift; code=0
              "$L" "$@" --home $H >$D/$name.out 2>$D/$name.err || code=$?; echo $name $code; }
            fill() { dd if=/dev/zero of=$D/disk/filler bs=4096 2>/dev/null || true; }
            step init init --name Laptop --kind laptop --schema $D/schema.json
            step first set note/x title=Tea tags+=a body=Hello
            \(lines)
            """, device)
    }

    /// Runs a script that writes the name and the exit code of each of its steps; returns what
    /// each of them came to.
    static func outcomes(
        _ lines: String, _ device: TestDevice
    ) throws -> [String: TestDevice.Outcome] {
        let script = try device.write("script", lines + "\n")
        let shell = try run(script, device)
        #expect(shell.code == 0, "\(shell.error)")
        var outcomes: [String: TestDevice.Outcome] = [:]
        for line in shell.output.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let path = "\(device.directory)/\(words[0])"
            outcomes[words[0]] = TestDevice.Outcome(
                code: Int32(words[1]) ?? -1, output: device.read("\(path).out"),
                error: device.read("\(path).err"))
        }
        return outcomes
    }
}
