import LinnetCRDT
import LinnetControl
import LinnetReplication

// Long answers, sent in parts no faster than the command takes them.
extension Answers {
    /// The most elements of one response; a command shows the first ones while the others are read.
    private static var elementsPerResponse: Int { 500 }
    /// The bytes of one response, about; an element that alone has more gets a response of its own.
    private static var bytesPerResponse: Int { 4 << 20 }

    /// Sends the elements in their order, as many in one answer as have room in it.
    func inParts<Element: Sized & ControlElement>(
        _ elements: Answer
    ) async where Answer == [Element] {
        await inParts(elements) { self($0) }
    }

    /// Sends a collection as it is read, a page at a time, so that the node holds no more of it.
    func inPages<Element: Sized & ControlElement>(
        _ reading: CollectionReading,
        _ next: (CollectionReading) async throws(LinnetError) -> ([Element], CollectionReading)
    ) async throws(LinnetError) where Answer == [Element] {
        var rest = reading
        while !rest.isDone {
            let page: [Element]
            (page, rest) = try await next(rest)
            await inParts(page)
            if !rest.isDone { await session.taken() }
        }
    }

    /// Hands the elements to `send` in their order, as many at once as have room in one response.
    func inParts<Element: Sized>(_ elements: [Element], send: ([Element]) -> Void) async {
        var part: [Element] = []
        var bytes = 0
        for element in elements {
            let size = element.approximateBytes
            let isFull =
                part.count == Self.elementsPerResponse || bytes + size > Self.bytesPerResponse
            if isFull, !part.isEmpty {
                send(part)
                await session.taken()
                part = []
                bytes = 0
            }
            part.append(element)
            bytes += size
        }
        if !part.isEmpty { send(part) }
    }
}

/// Something whose size in a response is known well enough to fill one.
protocol Sized {
    /// The approximate number of its bytes.
    var approximateBytes: Int { get }
}

extension RecordView: Sized {}

extension FigureGroup: Sized {
    var approximateBytes: Int {
        by.reduce(32) { $0 + $1.approximateBytes }
            + figures.reduce(0) { $0 + 8 + $1.value.approximateBytes }
    }
}

extension ControlTrash: Sized {
    var approximateBytes: Int { 64 + record.approximateBytes }
}

extension HistoryEntry: Sized {
    var approximateBytes: Int { 256 + (value?.approximateBytes ?? 0) }
}
