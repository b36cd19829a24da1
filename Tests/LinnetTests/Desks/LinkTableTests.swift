import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

struct LinkTableTests {
    private let phone = DeviceID(repeating: 1)
    private let watch = DeviceID(repeating: 2)

    private func link() -> Link { Link(carrier: FrameCarrier.pair().0, origin: .attached) }

    @Test func `a member with two links is there until the last of them ended`() {
        var table = LinkTable()
        let (first, second) = (table.nextID(), table.nextID())
        #expect(first != second)
        table.add(link(), as: first)
        table.add(link(), as: second)
        #expect(table.devices.isEmpty)
        let news = [table.proved(phone, on: first), table.proved(phone, on: second)]
        #expect(news == [true, false])
        #expect(table.devices == [phone])
        _ = table.remove(first)
        #expect(table.takeGone() == [])
        _ = table.remove(second)
        #expect(table.takeGone() == [phone])
        #expect(table.takeGone() == [])
        #expect(table.isEmpty)
    }

    @Test func `those who are gone come in order`() {
        var table = LinkTable()
        for device in [watch, phone] {
            let id = table.nextID()
            table.add(link(), as: id)
            _ = table.proved(device, on: id)
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
        _ = table.proved(phone, on: id)
        table.close()
        #expect(await events.wait(count: 1) == [true])
        #expect(table.isEmpty && table[id] == nil)
        #expect(table.takeGone() == [])
    }
}
