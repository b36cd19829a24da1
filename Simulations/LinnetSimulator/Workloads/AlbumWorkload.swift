import LinnetCRDT
import LinnetReplication

/// An album of a few pictures, which have titles, are deleted and brought back; their files are
/// steps of their own.
struct AlbumWorkload: Workload {
    static let collection: UInt32 = 2_000
    static let image: UInt32 = 2
    /// The number of pictures: few, so that two often attach to one.
    static let pictures = 5
    private static let title: UInt32 = 1

    let schemas = [schema]

    private static let schema: LinnetCRDT.Schema = {
        let pictures = Collection(
            id: collection, name: "pictures", scope: "album",
            fields: [
                Field(id: title, name: "title", type: .text),
                Field(id: image, name: "image", kind: .file),
            ])
        do {
            return try LinnetCRDT.Schema(version: 1, collections: [pictures])
        } catch {
            preconditionFailure("the schema of the album is legal: \(error)")
        }
    }()

    /// The record of a picture.
    static func picture(_ number: Int) -> RecordKey {
        guard let record = RecordID("p\(number)") else {
            preconditionFailure("a letter and digits are legal")
        }
        return RecordKey(collection: collection, record: record)
    }

    func write(_ random: inout SeededRandom, size: WriteSize) -> SimulatedWrite {
        let count: Int
        switch size {
        case .few: count = 1
        case .many: count = 4
        case .records(let records): count = records
        }
        return SimulatedWrite(writes: (0..<count).map { _ in one(&random) })
    }

    private func one(_ random: inout SeededRandom) -> Write {
        let key = Self.picture(random.below(Self.pictures))
        switch random.below(8) {
        case 0: return Write(key, [.delete])
        case 1: return Write(key, [.restore])
        case 2: return Write(key, [.set(FieldWrite(Self.image, .null))])
        default:
            let title = random.pick(["a", Canary.text])
            return Write(key, [.set(FieldWrite(Self.title, .text(title)))])
        }
    }
}
