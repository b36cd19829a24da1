import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

struct LinkTableTests {
    private let phone = DeviceID(repeating: 1)
    private let watch = DeviceID(repeating: 2)
    private let now = Moment(wallMilliseconds: 7_000, uptimeMilliseconds: 1)

    private func link() -> Link { Link(carrier: FrameCarrier.pair().0, origin: .attached) }

    @Test func `a member with two links is there until the last of them ended`() {
        var table = LinkTable()
        let (first, second) = (table.nextID(), table.nextID())
        #expect(first != second)
        table.add(link(), as: first)
        table.add(link(), as: second)
        #expect(table.devices.isEmpty)
        let news = [
            table.proved(phone, on: first, at: now), table.proved(phone, on: second, at: now),
        ]
        #expect(news == [true, false])
        #expect(table.devices == [phone])
        _ = table.remove(first)
        #expect(table.takeGone() == [])
        _ = table.remove(second)
        #expect(table.takeGone() == [phone])
        #expect(table.takeGone() == [])
        #expect(table.isEmpty)
    }

    @Test func `a link knows since when its member is proven, and what it carried`() {
        var table = LinkTable()
        let id = table.nextID()
        table.add(link(), as: id)
        table.count(received: 3, on: id)
        table.count(sent: 4, on: id)
        _ = table.proved(phone, on: id, at: now)
        table.count(received: 5, on: id)
        #expect(table[id]?.sinceMilliseconds == 7_000)
        #expect(table[id]?.bytes.received == 8)
        #expect(table[id]?.bytes.sent == 4)
        #expect(table[id]?.way == "a carrier of the application")
    }

    @Test func `those who are gone come in order`() {
        var table = LinkTable()
        for device in [watch, phone] {
            let id = table.nextID()
            table.add(link(), as: id)
            _ = table.proved(device, on: id, at: now)
            _ = table.remove(id)
        }
        #expect(table.takeGone() == [phone, watch])
    }

    @Test func `closing ends the links and names nobody as gone`() async {
        var table = LinkTable()
        let (near, far) = FrameCarrier.pair()
        let events = Collector<Bool>()
        far.start { if case .ended = $0 { events.add(true) } }
        let id = table.nextID()
        table.add(Link(carrier: near, origin: .attached), as: id)
        _ = table.proved(phone, on: id, at: now)
        table.close()
        #expect(await events.wait(count: 1) == [true])
        #expect(table.isEmpty && table[id] == nil)
        #expect(table.takeGone() == [])
    }
}
