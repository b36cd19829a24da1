/// A mailbox of a device, and the last look into it.
public struct MailboxStatus: Equatable, Sendable {
    /// The place, as it was added.
    public let address: String
    /// The Unix time in milliseconds of the last look that was whole; nil before the first.
    public let lastLookMilliseconds: Int64?
    /// The last look since the home was opened; nil before it.
    public let lastLook: MailboxLook?
    /// The packs of this device that lie there, and their bytes.
    public let packs: Int
    /// The bytes of these packs.
    public let packBytes: Int
    /// The devices that were heard there since the home was opened.
    public let heard: [MailboxSender]
    /// The requests over a network in the last day, of looks that are over; 0 for a folder.
    public let requestsLastDay: Int
    /// The bytes that these requests and their answers carried.
    public let bytesLastDay: Int
}

/// A device that was heard in a mailbox.
public struct MailboxSender: Equatable, Sendable {
    /// The device.
    public let device: Device
    /// The Unix time in milliseconds that its clock showed when it left its newest head.
    public let leftMilliseconds: Int64
}

/// A look into a mailbox: what was taken, left, and found to be wrong.
public struct MailboxLook: Equatable, Sendable {
    /// The place.
    public let address: String
    /// The batches that were new here.
    public internal(set) var batches = 0
    /// The records of who belongs to the group that were new here.
    public internal(set) var memberRecords = 0
    /// The objects that were got, and their bytes.
    public internal(set) var objectsGot = 0
    /// The bytes of the objects that were got.
    public internal(set) var bytesGot = 0
    /// The objects that were put and found again.
    public internal(set) var objectsPut = 0
    /// The bytes of the objects that were put.
    public internal(set) var bytesPut = 0
    /// The objects that were deleted.
    public internal(set) var objectsDeleted = 0
    /// The requests to the store.
    public internal(set) var requests = 0
    /// The sentences about what a person should know.
    public internal(set) var findings: [String] = []
    /// The requests that a dry run left out.
    public internal(set) var planned: [String] = []
    /// The reason why the look ended early; nil when it was whole.
    public internal(set) var failure: String?
}

/// A trial of a store: whether it can put, get, list and delete.
public struct MailboxTrial: Equatable, Sendable {
    /// The verbs that worked, in the order in which they were tried.
    public let passed: [String]
    /// The reason why the trial ended; nil when all worked.
    public let failure: String?
}
