// Stands until the faulty disk lands: delete this folder then.
import LinnetStorage
struct DiskImage {}
struct DiskCounters {}
final class Disk {
    static let vfs = "linnet-simulated"
    init(name: String, random: SeededRandom) {}
    func path(_ file: String) -> String { "/tmp/stub" }
    var isDown: Bool { false }
    func powerOn() {}
    func powerOff() {}
    func killProcess() {}
    func image() -> DiskImage { DiskImage() }
    func restore(_ image: DiskImage) {}
    func crash(atCall n: Int) {}
    func failSync(_ n: Int) {}
    func failWrite(_ n: Int) {}
    func failRead(_ n: Int) {}
    func fill(after bytes: Int) {}
    func empty() {}
    func clearFaults() {}
    func rot(_ bytes: [UInt8]) -> Bool { false }
    var lies = false
    var counters: DiskCounters { DiskCounters() }
    static func beginSeed(_ seed: UInt64) {}
    static func endSeed() {}
}
extension Coverage { mutating func add(_ counters: DiskCounters) {} }
