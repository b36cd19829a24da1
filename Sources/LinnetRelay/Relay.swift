import LinnetDiscovery
package import LinnetSystem
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The certificate of a relay and its key, both in PEM.
package struct RelayIdentity: Equatable, Sendable {
    let certificate: String
    let key: String

    /// Joins both.
    package init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }
}

/// A relay at work: a store of one's own for mailboxes, which reads nothing of what lies there.
package final class Relay: Sendable {
    private static let lock = "relay.lock"

    /// The address at which it listens.
    package let address: SocketAddress
    /// Tells the end of the relay once, with the reason where it ended by itself.
    package let ends: AsyncStream<RelayError?>
    private let isSecure: Bool
    private let loop: EventLoop
    private let front: RelayFront
    private let listener: TCPListener
    private let ending: AsyncStream<RelayError?>.Continuation
    private let held: OpenFile
    private let isClosed = Atomic<Bool>(false)

    /// Serves the relay in a directory, which has to be there.
    ///
    /// - Parameters:
    ///   - text: the numeric address and the port to listen at; port 0 for any.
    ///   - identity: the certificate with which it speaks TLS; without one it listens on this
    ///     machine alone.
    ///   - room: the most bytes of all objects.
    package static func serve(
        _ path: String, at text: String, identity: RelayIdentity? = nil,
        room: Int64 = RelayLimits.usualRoom
    ) async throws(RelayError) -> Relay {
        guard let place = place(text) else { throw .badAddress(text) }
        guard identity != nil || place.ip.isLoopback else { throw .notLoopback(text) }
        guard let loop = EventLoop() else { throw .noResources }
        let made: Result<Relay, RelayError> = await withCheckedContinuation { continuation in
            loop.post {
                do throws(RelayError) {
                    let relay = try Relay(path, place, identity, room, loop)
                    continuation.resume(returning: .success(relay))
                } catch {
                    continuation.resume(returning: .failure(error))
                    loop.stop()
                }
            }
        }
        return try made.get()
    }

    private init(
        _ path: String, _ place: SocketAddress, _ identity: RelayIdentity?, _ room: Int64,
        _ loop: EventLoop
    ) throws(RelayError) {
        let store = try RelayStore(at: path)
        held = try Self.take(path)
        try store.moveLog()
        let (ends, ending) = AsyncStream<RelayError?>.makeStream()
        let front = RelayFront(
            loop: loop, desk: RelayDesk(store, room: room), identity: identity
        ) { failure in
            ending.yield(failure)
            ending.finish()
        }
        guard let front else { throw identity == nil ? .noResources : .badCertificate }
        do throws(ListenFailure) {
            listener = try TCPListener(at: place, loop: loop) { descriptor, remote in
                front.adopt(descriptor, from: remote)
            }
        } catch {
            front.close()
            throw .cannotListen(address: place.description, reason: error.reason)
        }
        (address, isSecure) = (listener.address, identity != nil)
        (self.loop, self.front, self.ends, self.ending) = (loop, front, ends, ending)
    }

    /// Shows new connections another certificate, where the relay has one. Open connections
    /// keep the one before, each until its next answer. A certificate that is none changes nothing.
    package func renew(_ identity: RelayIdentity) async throws(RelayError) {
        guard !isClosed.load(ordering: .acquiring) else { throw .noResources }
        let isTaken = await withCheckedContinuation { continuation in
            loop.perform { [self] in
                continuation.resume(returning: isSecure && front.renew(identity))
            }
        }
        guard isTaken else { throw .badCertificate }
    }

    /// Ends all requests and stops listening, once.
    package func close() async {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await withCheckedContinuation { continuation in
            loop.perform { [self] in
                listener.close()
                front.close()
                _ = flock(held.descriptor, LOCK_UN)
                ending.yield(nil)
                ending.finish()
                loop.stop()
                continuation.resume()
            }
        }
    }

    private static func place(_ text: String) -> SocketAddress? {
        let name = "localhost:"
        let numeric = text.hasPrefix(name) ? "127.0.0.1:" + text.dropFirst(name.count) : text
        return Endpoint(parsing: numeric)?.socketAddress
    }

    /// Takes the lock of the directory, which the system gives back when the process ends.
    private static func take(_ path: String) throws(RelayError) -> OpenFile {
        let file: OpenFile
        do throws(HomeError) {
            file = try OpenFile.directory(at: path).file(lock, O_RDWR | O_CREAT)
        } catch {
            throw .system(path: path, reason: error.description)
        }
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .served(path: path) }
        return file
    }
}
