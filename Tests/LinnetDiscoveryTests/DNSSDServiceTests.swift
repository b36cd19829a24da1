import Foundation
import LinnetDiscovery
import LinnetWire
import Testing

/// Against a real mDNS daemon; each test in a process of its own.
@Suite(.serialized)
struct DNSSDServiceTests {
    @Test func `an announced instance is found with its claims and lost when withdrawn`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (phone, laptop) = (try Watcher(), try Watcher())
            let name = Samples.name(1)
            let txt = Samples.announcement(name, keys: [Samples.key(1)]).txt
            laptop.service.browse(.member)
            phone.service.announce(.member, name: name, port: 4_000, txt: txt)

            let found = try #require(
                await laptop.nextFound { instance in
                    instance.addresses.contains { $0.address == IPAddress("127.0.0.1") }
                })
            #expect(found.name == name)
            #expect(found.type == .member)
            #expect(found.port == 4_000)
            // Avahi hands the strings over in reverse.
            #expect(TXTRecord(heard: found.txt) == TXTRecord(heard: txt))
            #expect(found.host == "linnet-local.local.")
            #expect(found.addresses.allSatisfy { $0.isLoopback && $0.interfaceIndex == 1 })

            phone.service.withdraw(.member)
            let events = await laptop.events { $0 == .lost(name, .member) }
            #expect(events.last == .lost(name, .member))
            _ = daemon
        }
    }

    @Test func `both types are kept apart`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (phone, laptop) = (try Watcher(), try Watcher())
            phone.service.announce(
                .member, name: Samples.name(1), port: 4_000, txt: TXTRecord.pairing)
            phone.service.announce(
                .pairing, name: Samples.name(2), port: 4_001, txt: TXTRecord.pairing)
            laptop.service.browse(.pairing)
            let found = try #require(await laptop.nextFound())
            #expect(found.name == Samples.name(2))
            #expect(found.type == .pairing)
            #expect(TXTRecord.isPairing(heard: found.txt))
            _ = daemon
        }
    }

    @Test func `a new announcement takes the place of the old one`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (phone, laptop) = (try Watcher(), try Watcher())
            laptop.service.browse(.member)
            phone.service.announce(.member, name: Samples.name(1), port: 4_000, txt: [])
            #expect(await laptop.nextFound()?.name == Samples.name(1))
            phone.service.announce(.member, name: Samples.name(2), port: 4_000, txt: [])
            let events = await laptop.events { $0 == .lost(Samples.name(1), .member) }
            let isFound = events.contains {
                if case .found(let instance) = $0 {
                    instance.name == Samples.name(2)
                } else {
                    false
                }
            }
            if !isFound { #expect(await laptop.nextFound()?.name == Samples.name(2)) }
            _ = daemon
        }
    }

    @Test func `a quiet device finds and is not found, and nobody finds himself`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (quiet, loud, late) = (try Watcher(), try Watcher(), try Watcher())
            quiet.service.browse(.member)
            loud.service.browse(.member)
            loud.service.announce(.member, name: Samples.name(1), port: 4_000, txt: [])
            #expect(await quiet.nextFound()?.name == Samples.name(1))
            late.service.announce(.member, name: Samples.name(2), port: 4_002, txt: [])
            #expect(await loud.nextFound()?.name == Samples.name(2))
            _ = daemon
        }
    }

    @Test func `a daemon that dies and returns is waited for, and everything is asked again`() async
    {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (phone, laptop) = (try Watcher(), try Watcher())
            let name = Samples.name(1)
            laptop.service.browse(.member)
            phone.service.announce(.member, name: name, port: 4_000, txt: [])
            #expect(await laptop.nextFound()?.name == name)

            try daemon.killDaemon()
            let dying = await laptop.events { $0 == .state(.noDaemon) }
            #expect(dying.contains(.lost(name, .member)))
            #expect(await phone.events { $0 == .state(.noDaemon) }.last == .state(.noDaemon))

            try daemon.startDaemon()
            #expect(await laptop.nextFound()?.name == name)
            let back = await laptop.events { $0 == .state(.found) }
            #expect(!back.contains(.state(.noDaemon)))
        }
    }

    @Test func `a daemon that is absent is one event, not a stream`() async {
        await #expect(processExitsWith: .success) {
            alarm(90)
            unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/linnet", 1)
            let laptop = try Watcher()
            laptop.service.browse(.member)
            laptop.service.announce(.member, name: Samples.name(1), port: 4_000, txt: [])
            #expect(
                await laptop.events { $0 == .state(.noDaemon) } == [.state(.noDaemon)])
            for _ in 0..<100 { laptop.service.browse(.pairing) }
            laptop.service.stop()
            #expect(await laptop.events { $0 == .stopped } == [.stopped])
        }
    }

    @Test func `a machine whose interfaces carry no multicast is told so`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            // The thread inherits the empty network namespace; the daemon's bus stays reachable.
            try enterEmptyNetwork()
            let laptop = try Watcher()
            laptop.service.browse(.member)
            #expect(
                await laptop.events { $0 == .state(.noMulticast) } == [.state(.noMulticast)])
            _ = daemon
        }
    }

    @Test func `a name that is taken is reported and withdrawn`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let (phone, impostor) = (try Watcher(), try Watcher())
            let name = Samples.name(1)
            phone.service.announce(.member, name: name, port: 4_000, txt: [])
            _ = await phone.events { $0 == .announced(name, .member) }
            impostor.service.announce(.member, name: name, port: 4_001, txt: [])
            let events = await impostor.events { $0 == .nameTaken(name, .member) }
            #expect(!events.contains(.state(.noDaemon)))
            #expect(!events.contains(.announced(name, .member)))
            _ = daemon
        }
    }

    @Test func `hostile instances are counted and passed over`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let laptop = try Watcher()
            let long = (0..<3).map { "x\($0)=" + String(repeating: "y", count: 200) }
            let publishers = [
                try daemon.publish(name: "evil.name\\.with dots", port: 1, txt: []),
                try daemon.publish(name: "Bob's laptop", port: 1, txt: ["v=1"]),
                try daemon.publish(name: "\u{1}\u{2}öö\u{fffd}", port: 1, txt: ["v=1"]),
                try daemon.publish(name: Samples.name(1).text, port: 4_000, txt: long),
                try daemon.publish(name: Samples.name(2).text, port: 0, txt: ["v=1"]),
                try daemon.publish(name: Samples.name(3).text, port: 4_000, txt: ["v=1"]),
            ]
            laptop.service.browse(.member)
            let found = try #require(await laptop.nextFound())
            #expect(found.name == Samples.name(3))
            while laptop.service.counters.badNames < 3 || laptop.service.counters.badAnswers < 2 {
                await Task.yield()
            }
            // A child of a test inherits blocked signals; this one cannot be blocked.
            for publisher in publishers { kill(publisher.processIdentifier, SIGKILL) }
            let events = await laptop.events { $0 == .lost(Samples.name(3), .member) }
            let others = events.filter {
                if case .found(let instance) = $0 {
                    instance.name != Samples.name(3)
                } else {
                    false
                }
            }
            #expect(others == [])
            _ = daemon
        }
    }

    @Test func `starting and stopping leaves no descriptors and no threads behind`() async {
        await #expect(processExitsWith: .success) {
            let daemon = try PrivateMDNS()
            let phone = try Watcher()
            phone.service.announce(.member, name: Samples.name(1), port: 4_000, txt: [])
            let count = { (kind: String) in
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
            }
            var (descriptors, threads) = (0, 0)
            for round in 0..<24 {
                let laptop = try Watcher()
                laptop.service.browse(.member)
                laptop.service.announce(
                    .pairing, name: Samples.name(UInt64(round + 2)), port: 4_000, txt: [])
                _ = await laptop.nextFound()
                laptop.service.stop()
                _ = await laptop.events { $0 == .stopped }
                if round == 3 { (descriptors, threads) = (try count("fd"), try count("task")) }
            }
            // A thread says that it stopped before it is gone: a few may overlap.
            #expect(try count("fd") < descriptors + 10)
            #expect(try count("task") < threads + 10)
            _ = daemon
        }
    }
}

/// Moves the calling thread, and the threads it starts, to a network without usable interfaces.
private func enterEmptyNetwork() throws {
    // Swift's Glibc does not show `unshare`, nor its flag for network namespaces.
    let found = unsafe dlsym(nil, "unshare")
    let symbol = try unsafe #require(found)
    let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    let status = unshare(0x4000_0000)
    try #require(status == 0, "a network namespace needs root")
}
