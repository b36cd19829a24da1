import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetWire

/// The seventh workload: a device is removed, and long membership logs are judged.
struct Removing {
    let run: BenchRun
    private let name = "W7"
    private let linnet = BenchReport.linnet
    /// The devices that are connected.
    private static let connected = 8

    init(run: BenchRun) { self.run = run }

    func run(_ report: inout BenchReport) throws {
        try spread(&report)
        try replay(
            run.scale.memberRecords, devices: 32, removals: 8, as: "replay_4096", &report)
        try replay(
            run.scale.memberRecords / 4, devices: 32, removals: run.scale.memberRecords / 64,
            as: "replay_1024_of_64_removals", &report)
    }

    /// From the call that removes a device until the last of the others has it on its disk.
    private func spread(_ report: inout BenchReport) throws {
        run.progress("W7, pairing")
        let founder = try BenchHome.create(at: run.path("w7-0"), founding: true)
        var homes = [founder]
        for number in 1..<Self.connected {
            let home = try BenchHome.create(at: run.path("w7-\(number)"), founding: false)
            try founder.admit(home)
            homes.append(home)
        }
        var lost: [DeviceID] = []
        for number in 0..<run.scale.removals {
            let home = try BenchHome.create(at: run.path("w7-lost-\(number)"), founding: false)
            try founder.admit(home)
            if let device = home.device { lost.append(device) }
            try home.close()
        }
        let mesh = try Mesh(homes)
        run.progress("W7, removing")
        var (times, bytes): ([Double], [Double]) = ([], [])
        for device in lost {
            let before = mesh.bytes
            let start = BenchClock.seconds
            try founder.remove(device)
            try mesh.run { homes.allSatisfy { $0.removed.contains(device) } }
            times.append(BenchClock.seconds - start)
            let hasReached = homes.allSatisfy { $0.removed.contains(device) }
            try require(hasReached, "W7: somebody did not hear")
            try mesh.run { false }
            bytes.append(Double(mesh.bytes - before))
        }
        report.add(linnet, name, "removal_p50_ms", BenchReport.percentile(0.5, times) * 1e3)
        report.add(linnet, name, "removal_p99_ms", BenchReport.percentile(0.99, times) * 1e3)
        report.add(linnet, name, "removal_bytes", BenchReport.median(bytes))
    }

    /// A log of stored records read and judged, beside the bare checks of its signatures.
    private func replay(
        _ count: Int, devices: Int, removals: Int, as metric: String, _ report: inout BenchReport
    ) throws {
        run.progress("W7, signing \(count) records")
        let records = try GroupHistory.records(count, devices: devices, removals: removals)
        var entropy = Entropy(seed: SystemEntropy.seed())
        let key = SigningKey(seed: entropy.secret(32))
        let signatures = records.map { key.sign(.member, $0) }
        for round in 1...run.rounds {
            run.progress("W7, \(metric), round \(round) of \(run.rounds)")
            var known: [MemberRecord] = []
            let reading = try BenchClock.time {
                for bytes in records { known.append(try MemberRecord(decoding: bytes)) }
            }
            var log: MembershipLog?
            let judging = try BenchClock.time {
                log = try MembershipLog(genesis: known[0])
                _ = log?.insert(contentsOf: Array(known[1..<(count - 1)]))
            }
            let another = try BenchClock.time { _ = try log?.insert(known[count - 1]) }
            try require(log?.records.count == count, "W7: records were refused")
            var isValid = true
            let checking = BenchClock.time {
                for (signature, bytes) in zip(signatures, records) {
                    isValid =
                        SigningKey.isValid(signature, .member, bytes, publicKey: key.publicKey)
                        && isValid
                }
            }
            try require(isValid, "W7: a signature is wrong")
            report.add(linnet, name, metric + "_judging_ms", judging * 1e3)
            report.add(linnet, name, metric + "_one_more_ms", another * 1e3)
            report.add(linnet, name, metric + "_reading_ms", reading * 1e3)
            report.compare(
                name, metric + "_speed", ours: 1 / (judging + reading), reference: 1 / checking,
                to: "signatures")
        }
    }
}
