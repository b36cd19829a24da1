import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A whole replica, to which others say whatever they make up. It goes on all the same: it takes
/// writes, says what it shows, and opens again with the same.
final class FuzzedReplica {
    var replica: Replica?
    private(set) var now = FuzzedHome.start
    /// The bytes that it sent, by link, until they are taken.
    private var sent: [LinkID: [[UInt8]]] = [:]
    /// The links that it closed.
    private(set) var closed: Set<LinkID> = []
    private var nextLink: UInt64 = 1
    private let path: String

    init(_ number: Int = 1) {
        let path = FuzzedHome.shared.copy(number)
        self.path = path
        replica = FuzzedSetup.made { try FuzzedHome.open(path, FuzzedHome.hearer) }
    }

    deinit {
        replica = nil
        FuzzedHome.remove(path)
    }

    /// Opens a link to it.
    func accept() -> LinkID {
        let link = LinkID(rawValue: nextLink)
        nextLink += 1
        feed(.linkOpened(link, .accepted))
        return link
    }

    func feed(_ input: Input) {
        for effect in replica?.handle(input, at: now) ?? [] {
            switch effect {
            case .send(let link, let bytes): sent[link, default: []].append(bytes)
            case .close(let link): closed.insert(link)
            case .notify(.storeFailed(let error)):
                preconditionFailure("the store failed: \(error)")
            case .notify, .witness, .lane, .mail: break
            }
        }
    }

    func takeSent(on link: LinkID) -> [[UInt8]] { sent.removeValue(forKey: link) ?? [] }

    func pass(_ milliseconds: Int64) {
        now.wallMilliseconds += milliseconds
        now.uptimeMilliseconds += milliseconds
        feed(.deadlineReached)
    }

    /// Writes, closes and opens again, and stops the process when any of it does not work.
    func goOn() {
        do {
            let before = try replica?.commit(
                [FuzzedHome.write("own", "after all")], at: now)
            precondition(before != nil, "a write is taken")
            let digest = try replica?.reader.digest()
            guard let closing = replica.take() else { return }
            try closing.close()
            let again = try FuzzedHome.open(path, FuzzedHome.hearer, life: 1)
            let shown = try again.reader.digest()
            precondition(shown == digest, "an opening shows the same")
            replica = consume again
        } catch {
            preconditionFailure("the replica goes on: \(error)")
        }
    }
}

/// The target of strangers: bytes of links as they come.
enum FuzzedStranger {
    /// Plays an input: pieces with three bytes before each, a verb and a length.
    static func play(_ input: [UInt8]) {
        let replica = FuzzedReplica()
        var link = replica.accept()
        var pieces = FuzzedPieces(input)
        while let (verb, bytes) = pieces.next() {
            switch verb % 8 {
            case 0:
                replica.feed(.linkClosed(link))
                link = replica.accept()
            case 1: replica.pass(Int64(bytes.count) * 500)
            default:
                replica.feed(.received(link, bytes))
                if replica.closed.contains(link) { link = replica.accept() }
            }
        }
        replica.goOn()
    }
}

/// The pieces of an input.
struct FuzzedPieces {
    private static let most = 64
    private var rest: ArraySlice<UInt8>
    private var count = 0

    init(_ input: [UInt8]) { rest = input[...] }

    /// Joins pieces to an input.
    static func join(_ pieces: [(verb: UInt8, bytes: [UInt8])]) -> [UInt8] {
        pieces.flatMap { verb, bytes in
            [verb, UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)] + bytes
        }
    }

    mutating func next() -> (verb: UInt8, bytes: [UInt8])? {
        guard rest.count >= 3, count < Self.most else { return nil }
        count += 1
        let head = Array(rest.prefix(3))
        rest = rest.dropFirst(3)
        let bytes = Array(rest.prefix(Int(head[1]) << 8 | Int(head[2])))
        rest = rest.dropFirst(bytes.count)
        return (head[0], bytes)
    }
}
