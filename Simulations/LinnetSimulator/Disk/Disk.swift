/// The disk of one device: its files in memory, which SQLite opens through the file system
/// ``vfs``, and what may go wrong with them.
///
/// The assumptions about a disk: a sync makes the bytes of one file and its entry in the directory
/// durable; before that any write or truncation may be lost alone, in any order, and a write may be
/// torn; a new file may be lost, and a deleted one come back unless the directory was synced.
/// A disk draws from its own generator only; one thread at a time uses it.
package final class Disk: @unchecked Sendable {
    /// The name of the file system that all disks are under.
    package static let vfs = "linnet-simulated"

    /// The folder of its files, of one word.
    package let name: String
    /// True when the power failed or the process died: each call fails until ``powerOn()``.
    package private(set) var isDown = false
    /// True when a sync is answered without being done: a canary for those who test with disks.
    package var lies = false
    /// True when a failed sync leaves pages that no later sync writes, as Linux does, in place of
    /// all or nothing.
    package var forgetsFailedSyncs = false
    /// True when the bytes beside those written stay as they were when a write is torn; most disks
    /// do that, and SQLite writes less to one that promises it.
    package var sparesNeighbours = false
    /// The requests and the faults so far.
    package internal(set) var counters = DiskCounters()

    /// The generation that files opened before the last failure do not have.
    private(set) var generation = 0
    private(set) var files: [DiskFile] = []
    /// Deleted, but the directory not synced since.
    private var ghosts: [DiskFile] = []
    var faults = DiskFaults()
    var random: SeededRandom

    /// An empty disk; of two of the same name, the later one is found.
    package init(name: String, random: SeededRandom) {
        self.name = name
        self.random = random
        DiskRegistry.add(self)
    }

    deinit { DiskRegistry.remove(self) }

    /// The path of a file for SQLite.
    package func path(_ file: String) -> String { "/\(name)/\(file)" }

    // MARK: Failures

    /// The power fails now: what was not synced is lost in part.
    package func powerOff() {
        guard !isDown else { return }
        counters.powerFailures += 1
        let tearing = Tearing(sectorBytes: Self.sectorBytes, sparesNeighbours: sparesNeighbours)
        for file in files { file.losePower(&random, tearing: tearing, &counters) }
        for file in ghosts where random.chance(1, in: 2) {
            file.losePower(&random, tearing: tearing, &counters)
            files.append(file)
            counters.returnedFiles += 1
        }
        ghosts.removeAll()
        let before = files.count
        files.removeAll { !$0.isEntered && random.chance(1, in: 2) }
        counters.lostFiles += before - files.count
        stop()
    }

    /// The process dies and the power stays: all that was written stays, synced or not.
    package func killProcess() {
        guard !isDown else { return }
        counters.kills += 1
        stop()
    }

    /// Calls are answered again, but not on files that were opened before.
    package func powerOn() { isDown = false }

    private func stop() {
        isDown = true
        generation += 1
        faults = DiskFaults(room: faults.room)
        for file in files {
            file.locks = FileLocks()
            file.memory = nil
        }
    }

    // MARK: Files

    static let sectorBytes = 512

    /// The file of a name.
    func file(_ name: String) -> DiskFile? { files.first { $0.name == name } }

    /// Makes an empty file; what was deleted under that name is forgotten.
    func create(_ name: String) -> DiskFile {
        let file = DiskFile(name: name)
        files.append(file)
        ghosts.removeAll { $0.name == name }
        return file
    }

    /// Deletes a file, for good when the directory is synced too; false when there is none.
    func delete(_ name: String, syncsDirectory: Bool) -> Bool {
        guard let index = files.firstIndex(where: { $0.name == name }) else { return false }
        let file = files.remove(at: index)
        faults.give(file.size)
        if syncsDirectory {
            ghosts.removeAll()
        } else if file.isEntered {
            ghosts.append(file)
        }
        return true
    }

    /// Makes a file durable; the first time the directory too, as the unix file system does.
    func settle(_ file: DiskFile) {
        if !file.isEntered { ghosts.removeAll() }
        file.sync()
    }

    // MARK: Images

    /// All files as they would be read now.
    package func image() -> DiskImage {
        DiskImage(files: files.map { DiskImage.File(name: $0.name, bytes: $0.bytes) })
    }

    /// Puts back the files of an image, durably; with `only`, just the database of that name and
    /// what lies beside it. A file that the image has not is gone; who has one open keeps the old.
    package func restore(_ image: DiskImage, only database: String? = nil) {
        func isMeant(_ name: String) -> Bool {
            guard let database else { return true }
            return name == database || name.hasPrefix(database + "-")
        }
        files.removeAll { isMeant($0.name) }
        ghosts.removeAll { isMeant($0.name) }
        for file in image.files where isMeant(file.name) {
            files.append(DiskFile(name: file.name, bytes: file.bytes))
        }
    }
}
