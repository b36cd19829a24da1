import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Sights that an inspector shows to the checkers, in the order in which it comes by them.
///
/// Each is handed to several checkers, so that what is large and rare lies apart.
enum Sight {
    /// A call to a replica ended, and nothing of what it changed was looked at yet.
    case answered(Answer)
    /// A batch that nobody had before, by its number, and its header as it was signed.
    case learnt(Int, header: [UInt8])
    /// A device stores a batch that it did not.
    case stored(Storing)
    /// The batches that a call made visible, and the events that it told.
    case announced(device: Int, applied: [Int], events: [Event])
    /// Batches show on a device that did not.
    case shown(device: Int, [Int])
    /// A record after batches that touched it, or at a look at all records.
    case record(RecordSight)
    /// The records that a step touched were compared, or at a look at everything all of them.
    case compared(device: Int, isAll: Bool)
    /// The records of a device were gone through, and there are no others.
    case records(device: Int, Set<RecordKey>)
    /// All of what a call changed was looked at.
    case stepped(Step)
    /// A chain with all that is stored of it.
    indirect case chain(ChainRow, [BatchRow])
    /// A replica was looked at from the beginning: the view before it, and its clock.
    case renewed(device: Int, before: DeviceView, clock: Timestamp)
    /// A batch that a chain reaches is not there.
    case hole(device: Int, seq: UInt64)
    /// A record that showed is not stored any more.
    case vanished(device: Int, RecordKey)
    /// A batch shows that showed before.
    case appliedAgain(device: Int, Int)
    /// The sum of everything on a device.
    indirect case whole(Whole)
    /// A stored batch, and the fingerprint of its bytes.
    case sealed(device: Int, Int, print: UInt64)
    /// Somebody is about to commit these.
    case wished([Write])
    /// A commit of a device was looked at.
    indirect case written(Written)
    /// An intent was tried; without a receipt nobody knows what became of it.
    indirect case tried(device: Int, intent: [UInt8], CommitReceipt?)
    indirect case started(Start)
    indirect case restored(Restoration)
    /// The disk of a device lost batches that it wrote, or their bytes changed; its records as they
    /// were before.
    case lost(device: Int, batches: [Int], records: [RecordKey: RecordState])
    /// A device heard a peer's clock, which goes ahead of its own by so many milliseconds.
    case greeted(device: Int, ahead: Int64)
    /// Two devices part; whether they were left alone and both still run.
    case parted(Encounter, isWhole: Bool)
    /// A device does without the scopes of some collections that another one holds.
    case projected(Int, of: Int, without: [UInt32])
    /// Bytes where anybody may read them.
    case exposed(device: Int, [UInt8], where: String)
    /// The medicines as a device shows them.
    indirect case medication(MedicationSight)
    /// A tap that wrote nothing.
    indirect case unrecorded(device: Int, MedicationDeed)
    /// The content of a file that a device says is here, nil where it does not read; and whether
    /// somebody attached just that.
    case file(device: Int, [UInt8]?, isAttached: Bool)
    /// Something of a text that is open was looked at.
    indirect case edited(Editing)
    /// The chunks that a device keeps at the end, and how many of them records have named.
    case chunks(device: Int, kept: Int, named: Int)
    /// The batches that still wait on a device at the end, and their number as the store counts.
    case waiting(device: Int, [BatchID], counted: Int)
    /// A device asks a mailbox to delete an object, and who had put it.
    case mailDeleted(device: Int, MailName, leftBy: Int)
    /// A device puts a pack into a mailbox, with the batches that are in it.
    case mailPut(device: Int, MailName, OrderedSet<BatchID>)
    /// A mailbox gives a device a pack, whole or damaged.
    case mailGot(device: Int, MailName, isWhole: Bool)

    enum Kind: Int, CaseIterable {
        case answered, learnt, stored, announced, shown, record, compared, records, stepped, chain
        case hole, vanished, appliedAgain, renewed, whole, sealed, wished, written, tried, started,
            restored, parted, projected, lost, greeted
        case exposed, medication, unrecorded, waiting, file, chunks, mailDeleted, mailPut,
            mailGot, edited
    }

    var kind: Kind {
        switch self {
        case .answered: .answered
        case .learnt: .learnt
        case .stored: .stored
        case .announced: .announced
        case .shown: .shown
        case .record: .record
        case .compared: .compared
        case .records: .records
        case .stepped: .stepped
        case .chain: .chain
        case .hole: .hole
        case .vanished: .vanished
        case .appliedAgain: .appliedAgain
        case .renewed: .renewed
        case .whole: .whole
        case .sealed: .sealed
        case .wished: .wished
        case .written: .written
        case .tried: .tried
        case .started: .started
        case .restored: .restored
        case .lost: .lost
        case .greeted: .greeted
        case .parted: .parted
        case .projected: .projected
        case .exposed: .exposed
        case .medication: .medication
        case .unrecorded: .unrecorded
        case .waiting: .waiting
        case .file: .file
        case .chunks: .chunks
        case .mailDeleted: .mailDeleted
        case .mailPut: .mailPut
        case .mailGot: .mailGot
        case .edited: .edited
        }
    }
}

extension Sight {
    struct Answer {
        let device: Int
        let events: [Event]
        let clock: Timestamp
    }

    struct Storing {
        let device: Int
        let number: Int
        /// True when the chain begins with it.
        let isFirst: Bool
        /// True when the device had it at the last look.
        let isNew: Bool
        /// True when it was stored by the call that is looked at, so that the next two say
        /// something.
        let isRecent: Bool
        /// True when the store may still lose it, and when the replica knows that.
        var isUnflushed = false
        var isCountedRelaxed = false
    }

    /// An object, of which many checkers keep hold in turn.
    final class RecordSight {
        let device: Int
        let key: RecordKey
        let before: RecordState?
        let after: RecordState?
        /// The operations applied since `before`; nil when everything is to be compared.
        let new: [FactOperation]?
        let fold: ReferenceFold

        init(
            device: Int, key: RecordKey, before: RecordState?, after: RecordState?,
            new: [FactOperation]?, fold: ReferenceFold
        ) {
            self.device = device
            self.key = key
            self.before = before
            self.after = after
            self.new = new
            self.fold = fold
        }
    }

    struct Step {
        let device: Int
        let events: [Event]
        let pending: Totals
    }

    struct Whole {
        let device: Int
        let pending: Totals
        /// Nil for who is not a member, or cannot read it, and at most looks.
        let digest: Bytes32?
        /// The chains that are held, where that decides the names of branches.
        let vector: [VectorEntry]
    }

    struct Written {
        let device: Int
        let writes: [Write]
        let receipt: CommitReceipt
        /// The numbers of its batches.
        let facts: Range<Int>
        /// The records as their writer saw them, and the chains that it showed.
        let before: [RecordKey: RecordState]
        let rows: [ChainRow]
        /// The text that each edited field reads.
        let texts: [TextPlace: String]
    }

    /// Something that an editor shows or is told, and what it should be.
    struct Editing {
        let device: Int
        let what: String
        let found: String
        let expected: String
    }

    struct Start {
        let device: Int
        let incarnation: Incarnation?
        /// The witness is missing or names another place.
        let isDoubted: Bool
    }

    /// A device restored under a witness.
    struct Restoration {
        let device: Int
        /// True when the witness counts batches that the home does not have.
        let lostOwn: Bool
        let before: Incarnation?
        let now: Incarnation?
    }
}
