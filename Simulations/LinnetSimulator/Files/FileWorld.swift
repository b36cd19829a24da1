import LinnetReplication
import LinnetWire

/// The policies of files, in the scenario that is about them.
struct FilePlan: Equatable {
    /// The policy of each device.
    var policies: [FilePolicy]

    /// Draws which device follows which policy, and lets people attach and fetch files.
    static func draw(for maker: inout PlanMaker) {
        var random = SeededRandom(seed: maker.seed).fork(maker.scenario.name).fork("files")
        maker.plan.files = FilePlan(
            policies: (0..<maker.plan.devices).map { _ in
                random.pick([.all, .all, .recent(days: 1), .onDemand])
            })
        let days = Int(maker.plan.duration / PlanMaker.day)
        for _ in 0..<random.number(in: maker.scenario.commitsPerDay) * days {
            let kind: FileStep.Kind = random.pick([
                .attach, .attach, .attach, .fetch, .giveUp, .die,
            ])
            let step = FileStep(
                kind: kind, picture: random.below(AlbumWorkload.pictures),
                content: FileContent(&random))
            maker.add(.file(device: maker.device(), step), at: maker.moment())
        }
    }
}

/// The files that a fleet attached, and who follows which policy.
final class FileWorld {
    /// The rounds of meetings after which every device has what its policy wants.
    static let roundsMaximum = 4
    /// The time of such a meeting: files that nobody gives are given up in it.
    static let meetingMilliseconds: Int64 = 300_000

    private let plan: FilePlan
    /// By the hash of what was attached.
    private(set) var contents: [[UInt8]: FileContent] = [:]
    /// The chunks of files that records name, or named.
    private(set) var named: OrderedSet<Bytes32> = OrderedSet()
    /// The bytes of files that became kept, on all devices.
    private(set) var keptBytes = 0
    /// By device, the files of which it has said that all is here.
    private(set) var kept: [Int: [FileValue]] = [:]
    private var lives: [Int: Int] = [:]
    private var done: [Int: OrderedTable<Bytes32, UInt64>] = [:]

    init(_ plan: FilePlan) { self.plan = plan }

    /// The policy of a device; one of a copy is that of who was copied.
    func policy(of device: SimulatedDevice) -> FilePolicy {
        plan.policies.indices.contains(device.identity)
            ? plan.policies[device.identity] : .onDemand
    }

    /// True once for each life of a device.
    func isNew(_ device: SimulatedDevice) -> Bool {
        guard lives[device.index] != device.lives else { return false }
        lives[device.index] = device.lives
        done[device.index] = nil
        return true
    }

    /// Notes what is about to be attached.
    func will(attach content: FileContent, as hash: [UInt8], with chunks: OrderedSet<Bytes32>) {
        contents[hash] = content
        for chunk in chunks { named.insert(chunk) }
    }

    /// Notes that all of a file is on a device, which keeps it from then on.
    func keeps(_ file: FileValue, on device: Int) {
        guard kept[device]?.contains(where: { $0.digest == file.digest }) != true else { return }
        kept[device, default: []].append(file)
    }

    /// Notes that a device lost power, and what was not durable.
    func lostPower(_ device: Int) { kept[device] = nil }

    /// Notes how much of a file a device has.
    func grew(_ file: Bytes32, to doneBytes: UInt64, on device: Int) {
        let before = done[device]?[file] ?? 0
        done[device, default: OrderedTable()][file] = doneBytes
        keptBytes += Int(doneBytes - min(before, doneBytes))
    }
}
