package import LinnetWire

/// A mailbox of this home; a number is never used twice.
package struct MailboxID: Hashable, Comparable, Sendable {
    /// The number.
    package let rawValue: UInt64

    /// Names a mailbox.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Orders mailboxes as they were added.
    package static func < (left: MailboxID, right: MailboxID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A request of a post to the store behind its mailbox. It is repeated as it is when its outcome is
/// not known.
package enum MailRequest: Equatable, Sendable {
    /// List the names of a kind.
    case list(MailKind)
    /// Get an object whole.
    case get(MailName)
    /// Put an object whole, over one of the same name.
    case put(MailObject)
    /// Delete an object.
    case delete(MailName)
}

/// The answer of a store, none of which is trusted.
package enum MailAnswer: Equatable, Sendable {
    /// The names below a kind, whatever they look like: a hint.
    case names([String])
    /// The bytes of an object; nil where the store shows none, which proves nothing.
    case bytes([UInt8]?)
    /// The store says that it is done.
    case done
    /// The store could not be asked, or refused; the text is for people.
    case failed(String, pause: MailPause = .growing)
}

/// The time until a store that failed is asked again.
package enum MailPause: Equatable, Sendable {
    /// A random time, up to a bound that doubles with each failure.
    case growing
    /// That, and at least so many milliseconds, for which the store asked.
    case atLeast(milliseconds: Int64)
    /// For ever, unless a person asks for a look or gives another account: a store that refuses
    /// this one would count more tries as an attack.
    case stopped
}

/// The requests over a network that an answer took, and the bytes that they carried.
package struct MailTraffic: Equatable, Sendable {
    /// The requests, of which one to the store may take several.
    package var requests: Int
    /// The bytes of the bodies, both ways.
    package var bytes: Int

    /// Joins both.
    package init(requests: Int = 0, bytes: Int = 0) {
        (self.requests, self.bytes) = (requests, bytes)
    }

    mutating func add(_ other: MailTraffic) {
        requests += other.requests
        bytes += other.bytes
    }
}

/// The wish of a replica for one of its mailboxes, which the shell carries out after the commit.
package enum MailEffect: Equatable, Sendable {
    /// Ask the store, and answer with `Input.mailAnswered`.
    case ask(MailboxID, MailRequest)
    /// A round is over.
    case ended(MailboxID, MailRound)
}

/// The outcome of one look into a mailbox and of all that was left there.
package struct MailRound: Equatable, Sendable {
    /// The objects that were got, and their bytes.
    package internal(set) var got = MailAmount()
    /// The objects that were got again to see whether they are whole, and their bytes.
    package internal(set) var checked = MailAmount()
    /// The objects that were put and found again, and their bytes.
    package internal(set) var put = MailAmount()
    /// The objects that were deleted.
    package internal(set) var deleted = 0
    /// The requests to the store.
    package internal(set) var requests = 0
    /// The batches that were new here.
    package internal(set) var batches = 0
    /// The membership records that were new here.
    package internal(set) var records = 0
    /// The facts that a person should know.
    package internal(set) var facts: [MailFact] = []
    /// The reason why the round ended early, for people; nil when it was whole.
    package internal(set) var failure: String?
    /// The time until the next round where this one failed.
    package internal(set) var pause = MailPause.growing
    /// True when another round follows at once: something was new, or was not listed once.
    package internal(set) var isRepeated = false
    /// True when nothing was taken and left, and it was only said what would be.
    package internal(set) var isDry = false
    /// The requests that a dry run left out, for people.
    package internal(set) var planned: [String] = []

    /// Begins with nothing.
    package init() {}

    /// Notes a fact once.
    mutating func note(_ fact: MailFact) {
        if !facts.contains(fact) { facts.append(fact) }
    }
}

/// A number of objects and their bytes.
package struct MailAmount: Equatable, Sendable {
    /// The objects.
    package internal(set) var objects = 0
    /// Their bytes.
    package internal(set) var bytes = 0

    mutating func add(_ count: Int) {
        objects += 1
        bytes += count
    }
}

/// A finding about a mailbox. None of them stops an exchange.
package enum MailFact: Equatable, Sendable {
    /// So many names are not those of objects, as conflict copies are.
    case strangeNames(Int)
    /// So many objects open under no key of this device: damaged, or from elsewhere.
    case unreadable(Int)
    /// So many objects that are listed, or packs that heads name, are not given, or are damaged.
    case late(Int)
    /// Another device saw a newer head of this one than the store shows here.
    case withheld(DeviceID)
    /// The store shows an older head of this device and not the newest, which is left anew.
    case rolledBack
    /// The store does not show what this device left, which is left anew.
    case lacking
    /// More than half of what was there is gone: nothing is deleted.
    case lost
    /// Two heads of one author bear one number: its home was copied.
    case twoHeads(DeviceID)
    /// A head would be longer than a head may be: nothing is left any more.
    case headTooLarge
}
