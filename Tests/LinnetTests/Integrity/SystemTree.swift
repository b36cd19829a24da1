import Foundation
import LinnetSystem

/// A tree like those of /proc, /sys and /etc, in a directory of its own.
final class SystemTree {
    private let directory = TemporaryDirectory()
    var root: String { directory.path }

    /// A machine on which nothing is wrong: nobody follows the program, and nothing is swapped.
    init() throws {
        try write("proc/self/status", "Name:\tlinnet\nTracerPid:\t0\n")
        try write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n")
    }

    func probe(_ variables: [String: String] = [:]) -> IntegrityProbe {
        IntegrityProbe(root: root) { variables[$0] }
    }

    /// Writes a file, with the directories above it.
    func write(_ path: String, _ text: String) throws {
        let whole = "\(root)/\(path)"
        let above = (whole as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: above, withIntermediateDirectories: true)
        try text.write(toFile: whole, atomically: false, encoding: .utf8)
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: "\(root)/\(path)")
    }

    func link(_ path: String, to target: String) throws {
        let whole = "\(root)/\(path)"
        try? FileManager.default.removeItem(atPath: whole)
        try FileManager.default.createSymbolicLink(
            atPath: whole, withDestinationPath: target)
    }

    /// Makes a block device, on top of others, under its number and under its name.
    func device(
        _ name: String, _ number: String, uuid: String? = nil, above: [String] = []
    ) throws {
        for place in ["sys/dev/block/\(number)", "sys/class/block/\(name)"] {
            try write("\(place)/size", "1\n")
            if let uuid { try write("\(place)/dm/uuid", "\(uuid)\n") }
            for lower in above { try write("\(place)/slaves/\(lower)/size", "1\n") }
        }
    }
}
