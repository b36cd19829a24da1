/// The events to come: a binary heap by time, and by order of scheduling within one millisecond.
struct EventQueue<Element> {
    /// The elements stay where they are put while their entries move.
    private struct Entry {
        let time: Int64
        let order: UInt64
        let slot: Int

        func precedes(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    private var heap: [Entry] = []
    private var elements: [Element?] = []
    private var freeSlots: [Int] = []
    private var scheduled: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var nextTime: Int64? { heap.first?.time }

    mutating func schedule(_ element: Element, at time: Int64) {
        let entry = Entry(time: time, order: scheduled, slot: store(element))
        scheduled += 1
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry.precedes(heap[parent]) else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    mutating func next() -> (time: Int64, element: Element)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty { sink(last) }
        freeSlots.append(first.slot)
        return elements[first.slot].take().map { (first.time, $0) }
    }

    private mutating func store(_ element: Element) -> Int {
        guard let slot = freeSlots.popLast() else {
            elements.append(element)
            return elements.count - 1
        }
        elements[slot] = element
        return slot
    }

    /// Puts an entry in the place of the first one, and then where it belongs.
    private mutating func sink(_ entry: Entry) {
        var parent = 0
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(entry) else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = entry
    }
}
