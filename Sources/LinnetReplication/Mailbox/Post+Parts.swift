import LinnetCRDT
import LinnetWire

// These are what a post and the replica tell each other.
extension Post {
    /// The next step of a round.
    enum Step: Equatable {
        /// Nothing until an answer or a deadline comes.
        case wait
        /// Ask the store.
        case ask(MailRequest)
        /// Say which packs are wanted, with `want`.
        case choosePacks
        /// Say what is to be left next, with `leave` or `leaveNothingMore`.
        case chooseLeaving
        /// The round is over.
        case end(MailRound)
    }

    /// The requests of a round that are still to be made.
    struct Work {
        /// The request that was made and not answered.
        var pending: MailRequest?
        /// The heads and bridges that are got, the last one first.
        var toRead: [MailName] = []
        /// The packs that are got, the last one first.
        var wanted: [WantedPack] = []
        var toDelete: [MailName] = []
        /// The heads and bridges that were got.
        var looked = OrderedSet<MailName>()
        /// True in a round in which it is looked again at what was left.
        var isCheck = false
        /// The objects that are looked at again, the last one first.
        var toCheck: [MailChecks.Object] = []
        /// The own objects that were not given as they were left.
        var spoiled: [MailName] = []
        /// True where this round makes packs of others into larger ones; nil before that is drawn.
        var isMerging: Bool?
        /// True where a shelf was read, whose packs may be wanted.
        var hasNewShelf = false
    }

    /// An object that is put and read back before anything relies on it.
    enum Leaving: Equatable {
        case bridge(MailObject)
        case door(MailObject)
        /// A pack that takes the place of those that are named.
        case pack(MailObject, PackReference, retiring: [Bytes16])
        /// A list of own packs.
        case shelf(MailObject, PostState.OwnShelf)
        case head(MailObject, MailHead, epoch: EpochID)

        var object: MailObject {
            switch self {
            case .bridge(let object), .door(let object), .pack(let object, _, _),
                .shelf(let object, _), .head(let object, _, _):
                object
            }
        }
    }

    /// An answer that the replica has to judge.
    enum Arrival: Equatable {
        case object(MailName, [UInt8])
        case pack(WantedPack, [UInt8])
        /// An object that was got to see whether it is whole.
        case checked(MailChecks.Object, [UInt8])
        /// A pack was got that this device may name.
        case adopted(PackReference, [UInt8])
        /// A head, bridge or pack of this device was found in the store as it was put.
        case kept(Leaving)
    }

    /// A head that counts, without its batches.
    struct KnownHead: Equatable {
        var head: MailHead
        var hash: Bytes16
        var epoch: EpochID
        /// False for a device that is out.
        var isMember = true
        /// The rounds in succession in which the store did not show it.
        var missed = 0
    }

    /// A pack that is wanted, and the device whose head names it.
    struct WantedPack: Equatable {
        var pack: PackReference
        var device: DeviceID
    }

    /// The things that a round does.
    enum Mode: Equatable {
        /// It takes what is new and leaves what is lacking.
        case whole
        /// It takes what is new and leaves nothing.
        case reading
        /// It only says what it would do.
        case dry
    }

    /// A bridge that was read, by hashes of its records.
    struct ReadBridge: Equatable {
        var epoch: EpochID
        /// True for one that begins with what is before the epoch, as those that doors name.
        var isOfDoor = false
        var records: OrderedSet<Bytes32>
    }
}
