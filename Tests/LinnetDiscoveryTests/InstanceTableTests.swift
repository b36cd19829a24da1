import LinnetDiscovery
import LinnetWire
import Testing

struct InstanceTableTests {
    private func key(_ number: UInt64) -> InstanceKey {
        InstanceKey(type: .member, name: Samples.name(number))
    }

    private func claim(_ number: UInt64, port: UInt16 = 1, on interface: UInt32 = 1) -> Instance {
        Instance(
            name: Samples.name(number), type: .member, host: "h.local.", port: port, txt: [],
            addresses: [
                InstanceAddress(
                    address: IPAddress(bytes: [10, 0, 0, UInt8(interface)]).known,
                    interfaceIndex: interface, isLoopback: false)
            ])
    }

    private func finding(
        _ number: UInt64, port: UInt16 = 1, on interface: UInt32 = 1, answeredOn: UInt32,
        isComplete: Bool = false
    ) -> Finding {
        Finding(
            instance: claim(number, port: port, on: interface), interfaceIndex: answeredOn,
            isComplete: isComplete)
    }

    @Test func `thirty-two are admitted at once and the rest by the minute, oldest first`() {
        let most = Limits.discoveryInstancesPerMinute
        var table = InstanceTable(capacity: Limits.discoveryInstances, perMinute: most)
        for number in 0..<100 {
            #expect(table.appeared(key(UInt64(number)), interfaceIndex: 1) == true)
        }
        #expect(table.admit(atMilliseconds: 0).admitted == (0..<most).map { key(UInt64($0)) })
        #expect(table.admit(atMilliseconds: 1).admitted == [])
        #expect(table.nextAdmissionMilliseconds == 1_875)
        #expect(table.admit(atMilliseconds: 1_875).admitted == [key(32)])
        #expect(
            table.admit(atMilliseconds: 61_875).admitted == (33..<65).map { key(UInt64($0)) })
    }

    @Test func `a flood is bounded and does not hide the instance that came first`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        var refused = 0
        for number in 0..<10_000 where !table.appeared(key(UInt64(number)), interfaceIndex: 1) {
            refused += 1
        }
        #expect(refused == 10_000 - InstanceTable.waitingInstances)
        var admitted = 0
        for minute in 0..<60 {
            admitted += table.admit(atMilliseconds: Int64(minute) * 60_000).admitted.count
            #expect(table.count <= 256)
        }
        #expect(admitted == InstanceTable.waitingInstances)
        #expect(table.nextAdmissionMilliseconds == nil)
    }

    @Test func `a full table drops its oldest and says so when the owner knew of it`() {
        var table = InstanceTable(capacity: 2, perMinute: 32)
        for number in 1...2 {
            #expect(table.appeared(key(UInt64(number)), interfaceIndex: 1) == true)
        }
        _ = table.admit(atMilliseconds: 0)
        #expect(table.resolved(finding(1, answeredOn: 1)) != nil)
        for number in 3...4 {
            #expect(table.appeared(key(UInt64(number)), interfaceIndex: 1) == true)
        }
        let (admitted, evicted) = table.admit(atMilliseconds: 0)
        #expect(admitted == [key(3), key(4)])
        #expect(evicted == [key(1)])
        #expect(table.count == 2)
    }

    @Test func `an instance is gone when the last interface and family took it back`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        for interface in [1, 2, 2] as [UInt32] {
            #expect(table.appeared(key(1), interfaceIndex: interface) == true)
        }
        _ = table.admit(atMilliseconds: 0)
        #expect(table.interfaces(of: key(1)) == [1, 2])
        #expect(!table.disappeared(key(1), interfaceIndex: 2).isGone)
        #expect(!table.disappeared(key(1), interfaceIndex: 1).isGone)
        #expect(!table.isReported(key(1), interfaceIndex: 1))
        #expect(!table.disappeared(key(1), interfaceIndex: 7).isGone)
        #expect(table.disappeared(key(1), interfaceIndex: 2).isGone)
        #expect(!table.disappeared(key(1), interfaceIndex: 2).isGone)
        #expect(table.count == 0)
    }

    @Test func `an instance that left while it waited is not admitted`() {
        var table = InstanceTable(capacity: 256, perMinute: 1)
        for number in 1...3 {
            #expect(table.appeared(key(UInt64(number)), interfaceIndex: 1) == true)
        }
        #expect(table.admit(atMilliseconds: 0).admitted == [key(1)])
        _ = table.disappeared(key(2), interfaceIndex: 1)
        #expect(table.admit(atMilliseconds: 60_000).admitted == [key(3)])
    }

    @Test func `addresses of several interfaces are told together`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        for interface in [1, 2] as [UInt32] {
            #expect(table.appeared(key(1), interfaceIndex: interface) == true)
        }
        _ = table.admit(atMilliseconds: 0)
        let first = table.resolved(finding(1, answeredOn: 1))
        #expect(first?.addresses.map(\.interfaceIndex) == [1])
        let both = table.resolved(finding(1, on: 2, answeredOn: 2))
        #expect(both?.addresses.map(\.interfaceIndex) == [1, 2])
        #expect(table.resolved(finding(1, on: 2, answeredOn: 2)) == nil)
        let other = table.resolved(finding(1, port: 9, on: 2, answeredOn: 2))
        #expect(other?.addresses.map(\.interfaceIndex) == [2])
    }

    @Test func `what an unplugged interface brought no longer counts as found`() {
        let interface = { (index: UInt32, isLoopback: Bool, carriesMulticast: Bool) in
            NetworkInterface(
                index: index, isLoopback: isLoopback, carriesMulticast: carriesMulticast,
                prefixes: [])
        }
        var table = InstanceTable(capacity: 256, perMinute: 32)
        for (number, index) in [(1, 1), (2, 2), (3, 3)] as [(UInt64, UInt32)] {
            #expect(table.appeared(key(number), interfaceIndex: index) == true)
            _ = table.admit(atMilliseconds: 0)
            #expect(table.resolved(finding(number, answeredOn: index)) != nil)
        }
        let loopback = interface(1, true, false)
        let plugged = [loopback, interface(2, false, true), interface(3, false, true)]
        #expect(table.resolvedCount(on: plugged) == 3)
        #expect(table.resolvedCount(on: [loopback, interface(2, false, false)]) == 1)
        #expect(table.resolvedCount(on: []) == 0)
    }

    @Test func `asking again takes nothing away before the time for answers is over`() throws {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        #expect(table.appeared(key(1), interfaceIndex: 1) == true)
        _ = table.admit(atMilliseconds: 0)
        let both = [claim(1, on: 1), claim(1, on: 2)].flatMap(\.addresses)
        let answer = { (addresses: [InstanceAddress], isComplete: Bool) in
            Finding(
                instance: Instance(
                    name: Samples.name(1), type: .member, host: "h.local.", port: 1, txt: [],
                    addresses: addresses),
                interfaceIndex: 1, isComplete: isComplete)
        }
        #expect(table.resolved(answer(both, true))?.addresses == both)
        #expect(table.resolved(answer([both[0]], false)) == nil)
        #expect(table.resolved(answer([both[0]], true))?.addresses == [both[0]])
        #expect(table.resolved(answer([both[0]], true)) == nil)
    }

    @Test func `an answer for an instance that is not followed is dropped`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        #expect(table.resolved(finding(1, answeredOn: 1)) == nil)
        #expect(table.appeared(key(1), interfaceIndex: 1) == true)
        _ = table.admit(atMilliseconds: 0)
        #expect(table.resolved(finding(1, answeredOn: 2)) == nil)
    }

    @Test func `forgetting tells only what the owner knew`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        for number in 1...2 {
            #expect(table.appeared(key(UInt64(number)), interfaceIndex: 1) == true)
        }
        _ = table.admit(atMilliseconds: 0)
        #expect(table.resolved(finding(2, answeredOn: 1)) != nil)
        #expect(table.forget(.pairing) == [])
        #expect(table.forget() == [key(2)])
        #expect(table.count == 0)
    }

    @Test func `one instance on very many interfaces stays small`() {
        var table = InstanceTable(capacity: 256, perMinute: 32)
        for interface in 1...1_000 as ClosedRange<UInt32> {
            #expect(table.appeared(key(1), interfaceIndex: interface) == true)
        }
        _ = table.admit(atMilliseconds: 0)
        #expect(table.interfaces(of: key(1)).count == InstanceTable.interfacesPerInstance)
    }
}

extension Optional where Wrapped == IPAddress {
    fileprivate var known: IPAddress {
        guard let self else { preconditionFailure("the sample address has four bytes") }
        return self
    }
}
