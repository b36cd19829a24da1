import LinnetCrypto
import LinnetWire
import Synchronization
import Testing

@testable import LinnetSystem

/// Stores over HTTP at their worst; real ones are played by the check of mailboxes.
@Suite(.timeLimit(.minutes(3)))
struct StoreMailboxTests {
    private let name = "p/" + String(repeating: "a", count: 26)
    private let head = "h/" + String(repeating: "b", count: 26)

    private let access = MailboxAccess(
        user: "ada", password: SharedSecret(SecretBytes(copying: Array("lab password".utf8))),
        region: "us-east-1", authority: [])

    private func dav(
        _ server: ScriptedServer, patience: StoreConnection.Patience = .init()
    ) throws -> DAVMailbox {
        let address = "dav+http://127.0.0.1:\(server.port)/box"
        return DAVMailbox(
            at: try StoreAddress(address), named: address, access, patience: patience)
    }

    private func s3(_ server: ScriptedServer) throws -> S3Mailbox {
        let address = "s3+http://127.0.0.1:\(server.port)/bucket/pre"
        return S3Mailbox(at: try StoreAddress(address), named: address, access)
    }

    @Test func `DAVMailbox puts packs into shards, makes collections, gets, lists and deletes`()
        throws
    {
        // base64 of "ada:lab password"
        let memory = MemoryCollection(authorization: "Basic YWRhOmxhYiBwYXNzd29yZA==")
        let server = ScriptedServer { memory.answer($0) }
        defer { server.close() }
        let store = try dav(server)
        #expect(try store.list("p", upTo: 10).isEmpty)
        for (name, bytes) in [(name, [1, 2, 3]), (head, [])] as [(String, [UInt8])] {
            #expect(try store.get(name, upTo: 10) == nil)
            try store.put(bytes, name)
            try store.put(bytes, name)
            #expect(try store.get(name, upTo: 10) == bytes)
            #expect(try store.list(String(name.prefix(1)), upTo: 10) == [name])
        }
        #expect(
            Set(memory.resources.withLock { $0.keys })
                == ["/box/p/a/" + name.dropFirst(2), "/box/" + head])
        #expect(try store.get(name, upTo: 2) == nil)
        memory.resources.withLock { $0["/box/p/strange"] = [1] }
        #expect(Set(try store.list("p", upTo: 10)) == [name, "p/strange"])
        #expect(try store.list("p", upTo: 1).count == 1)
        for _ in 1...2 { try store.delete(name) }
        #expect(try store.list("p", upTo: 10) == ["p/strange"])
        // No more collections than were needed, each made once.
        let made = server.requests.filter { $0.method == "MKCOL" }.map(\.target)
        #expect(made == ["/box/p/", "/box/p/a/", "/box/h/"])
        let traffic = store.takeTraffic()
        #expect(traffic.requests == server.requests.count && traffic.bytes > 0)
        #expect(store.takeTraffic() == StoreTraffic())
        #expect(throws: MailboxError.self) { try store.put([], "p/../key") }
    }

    @Test func `a collection that is not there is told, and never made`() throws {
        let memory = MemoryCollection(authorization: "Basic YWRhOmxhYiBwYXNzd29yZA==")
        let server = ScriptedServer { memory.answer($0) }
        defer { server.close() }
        let address = "dav+http://127.0.0.1:\(server.port)/gone"
        let store = DAVMailbox(at: try StoreAddress(address), named: address, access)
        #expect(throws: MailboxError.absentStore(address)) { _ = try store.list("h", upTo: 1) }
        #expect(throws: MailboxError.absentStore(address)) { try store.put([1], head) }
    }

    @Test(arguments: [
        (401, [], MailboxError.unauthorised(status: 401, code: "")),
        (403, [], .unauthorised(status: 403, code: "")), (413, [], .tooLarge), (507, [], .full),
        (429, ["Retry-After: 9"], .busy(seconds: 9)),
        (503, ["Retry-After: 9"], .busy(seconds: 9)), (503, [], .busy(seconds: nil)),
        (301, ["Location: http://127.0.0.1:9/"], .redirected(status: 301)),
        (405, [], .unsupported(verb: "put", status: 405)),
        (500, [], .unexpected(verb: "put", status: 500)),
    ]) func `each refusal has its own error`(
        status: Int, headers: [String], error: MailboxError
    ) throws {
        let server = ScriptedServer { _ in ScriptedServer.text(status, "", headers) }
        defer { server.close() }
        #expect(throws: error) { try dav(server).put([1], head) }
        #expect(throws: error) { try s3(server).put([1], head) }
        #expect(!error.description.isEmpty && !error.description.contains("lab password"))
        #expect(throws: MailboxError.self) { _ = try dav(server).list("h", upTo: 1) }
        #expect(throws: MailboxError.self) { _ = try s3(server).list("h", upTo: 1) }
        #expect(throws: MailboxError.self) { try dav(server).delete(head) }
        #expect(throws: MailboxError.self) { try s3(server).delete(head) }
    }

    @Test(arguments: [403, 404, 410, 301, 500, 502, 503, 504])
    func `one object that is not given holds up no others`(status: Int) throws {
        let server = ScriptedServer { _ in ScriptedServer.text(status) }
        defer { server.close() }
        #expect(try dav(server).get(head, upTo: 10) == nil)
        #expect(try s3(server).get(head, upTo: 10) == nil)
    }

    @Test func `an object without an end takes no more memory than it may have`() throws {
        let endless = ScriptedServer { _ in
            Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 7, count: 8 << 20)
        }
        defer { endless.close() }
        let store = try dav(endless)
        #expect(try store.get(head, upTo: 1 << 20) == nil)
        #expect(store.takeTraffic().bytes <= 1 << 20)
    }

    @Test func `a listing that is too long is refused`() throws {
        let long = ScriptedServer { _ in
            ScriptedServer.bytes(207, [UInt8](repeating: 0x20, count: Limits.mailListingBytes + 1))
        }
        defer { long.close() }
        #expect(throws: MailboxError.badListing("it has more than 8 MiB")) {
            _ = try dav(long).list("h", upTo: 1)
        }
    }

    @Test func `a store that hangs up, cuts or keeps silent is told`() throws {
        let cut = ScriptedServer { _ in
            Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)
        }
        let silent = ScriptedServer { _ in [] }
        let rude = ScriptedServer { _ in nil }
        defer { for server in [cut, silent, rude] { server.close() } }
        let patience = StoreConnection.Patience(connecting: 2, silence: 1, whole: 2)
        #expect(throws: MailboxError.timedOut) {
            _ = try dav(silent, patience: patience).get(head, upTo: 10)
        }
        for server in [cut, rude] {
            let error = #expect(throws: MailboxError.self) {
                _ = try dav(server, patience: patience).get(head, upTo: 10)
            }
            #expect(error.map { "\($0)" } != nil)
        }
        rude.close()
        #expect(throws: MailboxError.self) { _ = try dav(rude).list("h", upTo: 1) }
    }

    @Test func `S3Mailbox follows a listing through its parts, below its prefix alone`() throws {
        let server = ScriptedServer { request in
            let isNext = request.target.contains("continuation-token=a%2Fb%3D")
            let keys = (isNext ? ["pre/h/c", "elsewhere"] : ["pre/h/a", "pre/h/b"])
                .map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
            let more =
                isNext
                ? ""
                : "<IsTruncated>true</IsTruncated>"
                    + "<NextContinuationToken>a/b=</NextContinuationToken>"
            return ScriptedServer.text(200, "<ListBucketResult>\(keys)\(more)</ListBucketResult>")
        }
        defer { server.close() }
        #expect(try s3(server).list("h", upTo: 10) == ["h/a", "h/b", "h/c"])
        #expect(
            server.requests.first?.target
                == "/bucket?list-type=2&max-keys=1000&prefix=pre%2Fh%2F")
        #expect(try s3(server).list("h", upTo: 2) == ["h/a", "h/b"])
    }

    @Test func `a listing of a bucket that does not end is refused`() throws {
        let server = ScriptedServer { _ in
            ScriptedServer.text(
                200,
                "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t"
                    + "</NextContinuationToken></ListBucketResult>")
        }
        defer { server.close() }
        #expect(throws: MailboxError.badListing("it does not end")) {
            _ = try s3(server).list("h", upTo: 10)
        }
    }

    @Test func `S3Mailbox signs once more by the store's clock, and then goes by it`() throws {
        let error = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
        let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"
        let server = ScriptedServer { request in
            request.head.contains("x-amz-date: 19941106T0849")
                ? ScriptedServer.text(200) : ScriptedServer.text(403, error, [date])
        }
        defer { server.close() }
        let store = try s3(server)
        for _ in 1...2 { try store.put([1], head) }
        #expect(server.requests.count == 3)
        let stubborn = ScriptedServer { _ in ScriptedServer.text(403, error, [date]) }
        defer { stubborn.close() }
        #expect(
            throws: MailboxError.unauthorised(status: 403, code: "RequestTimeTooSkewed")
        ) { try s3(stubborn).put([1], head) }
        #expect(stubborn.requests.count == 2)
    }

    @Test func `TLS that is none is refused`() throws {
        let server = ScriptedServer(greeting: ScriptedServer.text(200)) { _ in nil }
        defer { server.close() }
        let address = "dav+https://127.0.0.1:\(server.port)/box"
        let store = DAVMailbox(at: try StoreAddress(address), named: address, access)
        let error = #expect(throws: MailboxError.self) { try store.put([1], head) }
        guard case .insecure = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }
}
