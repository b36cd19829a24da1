/// A mailbox, and the last look into it.
package struct ControlMailbox: ControlElement, ControlStruct {
    package static let number: UInt64 = 181
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.address, \.lastLookMilliseconds, \.lastLook, \.packs, \.packBytes,
            \.heard, \.lastDay)
    }

    /// The place.
    package var address: String
    /// The Unix time of the last whole look; nil before the first.
    package var lastLookMilliseconds: Int64?
    /// The last look since the home was opened.
    package var lastLook: ControlMailboxLook?
    /// The packs of this device that lie there.
    package var packs: Int
    /// Their bytes.
    package var packBytes: Int
    /// The devices that were heard there since the home was opened.
    package var heard: [ControlMailboxSender]
    /// The requests over a network in the last day, and their bytes.
    package var lastDay: ControlMailboxAmount

    /// Joins the facts.
    package init(
        address: String, lastLookMilliseconds: Int64?, lastLook: ControlMailboxLook?, packs: Int,
        packBytes: Int, heard: [ControlMailboxSender], lastDay: ControlMailboxAmount
    ) {
        (self.address, self.lastLookMilliseconds) = (address, lastLookMilliseconds)
        (self.lastLook, self.packs, self.packBytes) = (lastLook, packs, packBytes)
        (self.heard, self.lastDay) = (heard, lastDay)
    }
}

/// A trial of a store.
package struct ControlMailboxTrial: ControlAnswer, ControlStruct {
    package static let number: UInt64 = 182
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.passed, \.failure) }

    /// The verbs that worked.
    package var passed: [String]
    /// The reason why the trial ended; nil when all worked.
    package var failure: String?

    /// Joins the facts.
    package init(passed: [String], failure: String?) {
        (self.passed, self.failure) = (passed, failure)
    }
}

/// A device that was heard in a mailbox.
package struct ControlMailboxSender: ControlStruct, Equatable {
    package static var form: ControlForm<Self> {
        ControlForm(Self.init, \.device, \.leftMilliseconds)
    }

    /// The device.
    package var device: ControlDevice
    /// The Unix time on its clock when it left its newest head.
    package var leftMilliseconds: Int64

    /// Joins both.
    package init(device: ControlDevice, leftMilliseconds: Int64) {
        (self.device, self.leftMilliseconds) = (device, leftMilliseconds)
    }
}

/// A look into a mailbox.
package struct ControlMailboxLook: ControlElement, ControlStruct {
    package static let number: UInt64 = 180
    package static var form: ControlForm<Self> {
        ControlForm(
            Self.init, \.address, \.taken, \.got, \.put, \.objectsDeleted, \.requests, \.findings,
            \.planned, \.failure)
    }

    /// The place.
    package var address: String
    /// The batches and membership records that were new here.
    package var taken: ControlMailboxAmount
    /// The objects that were got, and their bytes.
    package var got: ControlMailboxAmount
    /// The objects that were put, and their bytes.
    package var put: ControlMailboxAmount
    /// The objects that were deleted.
    package var objectsDeleted: Int
    /// The requests to the store.
    package var requests: Int
    /// The sentences about what is wrong.
    package var findings: [String]
    /// The requests that a dry run left out.
    package var planned: [String]
    /// The reason why the look ended early; nil when it was whole.
    package var failure: String?

    /// Joins the facts.
    package init(
        address: String, taken: ControlMailboxAmount, got: ControlMailboxAmount,
        put: ControlMailboxAmount, objectsDeleted: Int, requests: Int, findings: [String],
        planned: [String], failure: String?
    ) {
        (self.address, self.taken, self.got, self.put) = (address, taken, got, put)
        (self.objectsDeleted, self.requests) = (objectsDeleted, requests)
        (self.findings, self.planned, self.failure) = (findings, planned, failure)
    }
}

/// Two numbers that belong together: objects or requests and bytes, or batches and records.
package struct ControlMailboxAmount: ControlStruct, Equatable {
    package static var form: ControlForm<Self> { ControlForm(Self.init, \.first, \.second) }

    /// The objects, the requests, or the batches.
    package var first: Int
    /// The bytes, or the records.
    package var second: Int

    /// Joins both.
    package init(first: Int, second: Int) { (self.first, self.second) = (first, second) }
}
