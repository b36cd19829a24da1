import LinnetCRDT
import LinnetCrypto
public import LinnetFaces
public import LinnetMedication
import LinnetReplication
import LinnetSystem

extension Node {
    /// Reads all records of the medication domain, folded; throws `unknownCollection` where the
    /// home's schema has no such collections.
    public func medicationBook() throws(LinnetError) -> MedicationBook {
        let named = Schema.demonstration.collections.filter { $0 != Schema.devices }
        var records: [RecordView] = []
        for collection in named {
            guard schema.collection(id: collection.id) != nil else {
                // A home with a schema of its own may have no totals.
                if collection == Schema.doseTotal { continue }
                throw .schema(.unknownCollection(collection.name))
            }
            records += try reading { (replica) throws(ReplicaError) in
                try replica.reader.records(collection.id)
            }
        }
        var book = MedicationBook(records)
        let deleted = try reading { (replica) throws(ReplicaError) in
            try replica.reader.trash(Schema.medication.id)
        }
        for view in deleted { book.bury(view.record) }
        let held = try reading { (replica) throws(ReplicaError) in replica.heldScopes }
        book.isInStep = held.isInStep
        book.coverage = LogCoverage(
            of: schema.collection(id: Schema.doseEvent.id)?.scope,
            holdsOthers: held.isEverything, held.names, isInStep: held.isInStep)
        return book
    }

    /// Makes the snapshot that widgets show, as of a moment, signed with the home's key for faces.
    public func sealedFaces(
        _ maker: SnapshotMaker, asOf now: Instant
    ) throws(FacesFailure) -> SealedSnapshot {
        let book: MedicationBook
        let frontier: String
        do throws(LinnetError) {
            book = try medicationBook()
            frontier = try digest()
        } catch {
            throw .home(error)
        }
        let snapshot: FaceSnapshot
        do throws(MedicationError) {
            snapshot = try maker.snapshot(of: book, asOf: now, frontier: frontier)
        } catch {
            throw .refused(error)
        }
        let key = try facesKey()
        do throws(FacesError) {
            return try SealedSnapshot(snapshot, by: key)
        } catch {
            throw .faces(error)
        }
    }

    private func facesKey() throws(FacesFailure) -> SigningKey {
        do throws(HomeError) {
            return try FacesKey.open(in: home)
        } catch {
            throw .home(.home(error))
        }
    }
}
