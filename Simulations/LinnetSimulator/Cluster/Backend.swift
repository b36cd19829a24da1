import LinnetCrypto
import LinnetStorage

/// The home of a device: the production store on a faulty disk, or the model of it.
enum Backend {
    case sqlite(Disk)
    case model(ModelDisk)

    func open(
        databaseKey: borrowing SecretBytes, noncePrefix: [UInt8]
    ) throws(StorageError) -> any Store {
        switch self {
        case .sqlite(let disk):
            return try SQLiteStore(
                path: disk.path("store"), databaseKey: databaseKey, noncePrefix: noncePrefix,
                vfs: Disk.vfs)
        case .model(let disk):
            return try disk.open()
        }
    }

    var isDown: Bool {
        if case .sqlite(let disk) = self { disk.isDown } else { false }
    }

    /// The number of syncs that reached the disk.
    var syncs: Int {
        switch self {
        case .sqlite(let disk): disk.counters.syncs - disk.counters.failedSyncs
        case .model(let disk): disk.fullCommits
        }
    }

    func powerOn() {
        if case .sqlite(let disk) = self { disk.powerOn() }
    }

    func powerOff() {
        switch self {
        case .sqlite(let disk): if !disk.isDown { disk.powerOff() }
        case .model(let disk): disk.crash(losingRelaxed: true)
        }
    }

    func killProcess() {
        switch self {
        case .sqlite(let disk): if !disk.isDown { disk.killProcess() }
        case .model(let disk): disk.kill()
        }
    }

    func image() -> BackendImage {
        switch self {
        case .sqlite(let disk): .sqlite(disk.image())
        case .model(let disk): .model(disk.image())
        }
    }

    func restore(_ image: BackendImage) {
        switch (self, image) {
        case (.sqlite(let disk), .sqlite(let files)): disk.restore(files)
        case (.model(let disk), .model(let store)): disk.restore(store)
        default: preconditionFailure("an image is restored where it was made")
        }
    }
}

/// The contents of a home at a moment.
enum BackendImage {
    case sqlite(DiskImage)
    case model(ModelStore)
}

/// Keeps a model store while no process has it open.
final class ModelDisk {
    private var store = ModelStore()

    func open() throws(StorageError) -> any Store {
        store.reopen()
        return store
    }

    func crash(losingRelaxed: Bool) { store.crash(losingRelaxed: losingRelaxed) }
    var fullCommits: Int { store.fullCommits }
    /// The log stays for the next opening, which makes it durable.
    func kill() { store.rollback() }
    func image() -> ModelStore { store.copy() }
    func restore(_ image: ModelStore) { store = image.copy() }
}
