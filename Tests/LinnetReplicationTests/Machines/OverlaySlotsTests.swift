import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The parts of an overlay alone: where its records lie, what a fold writes, what they weigh.
@Suite struct OverlaySlotsTests {
    private func place(_ number: Int) throws -> (OverlayKey, RecordID) {
        let record = try #require(RecordID("record \(number) with a name of more than sixteen"))
        return (OverlayKey(RecordKey(collection: 1, record: record), seed: 3), record)
    }

    @Test func `what was added is found until it is removed, and its slot is used again`() throws {
        var slots = OverlaySlots()
        for number in 0..<200 {
            let (key, record) = try place(number)
            let slot = slots.add(key, record)
            #expect(slot == number)
        }
        for number in stride(from: 0, to: 200, by: 2) { slots.remove(number) }
        #expect(slots.count == 100 && slots.end == 200)
        for number in 0..<200 {
            let (key, record) = try place(number)
            #expect(slots.find(key, record) == (number % 2 == 0 ? nil : number))
        }
        let (key, record) = try place(500)
        let reused = slots.add(key, record)
        #expect(reused < 200 && slots.count == 101)
    }

    @Test func `a fold writes what was there when it began`() {
        var queue = FoldQueue()
        for slot in [3, 1, 2] { queue.add(slot) }
        queue.begin { $0.sorted() }
        queue.add(7)
        #expect(queue.count == 4 && queue.fresh == [7])
        var written: [Int] = []
        while let slot = queue.next() { written.append(slot) }
        #expect(written == [1, 2, 3] && queue.due.isEmpty)
    }

    @Test func `a record weighs on the side on which it is`() {
        var weight = OverlayWeight()
        weight.add(10)
        weight.add(5)
        weight.changed(10)
        #expect(weight.clean == 5 && weight.dirty == 10)
        weight.wrote(10, 12)
        weight.remove(5)
        #expect(weight.clean == 12 && weight.dirty == 0)
    }
}
