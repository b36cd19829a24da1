import LinnetCRDT

// Long answers are sent in parts, no faster than the command takes them.
extension ControlSession {
    /// The most elements of one response; a command shows the first ones while the others are read.
    private static var elementsPerResponse: Int { 500 }
    /// The bytes of one response, about; an element that alone has more gets a response of its own.
    private static var bytesPerResponse: Int { 4 << 20 }

    /// Sends the elements in their order, with as many in one response as there is room for.
    func sendInParts<Element: Sized>(
        _ elements: [Element], as response: ([Element]) -> ControlResponse
    ) async {
        var part: [Element] = []
        var bytes = 0
        for element in elements {
            let size = element.approximateBytes
            let isFull =
                part.count == Self.elementsPerResponse || bytes + size > Self.bytesPerResponse
            if isFull, !part.isEmpty {
                send(response(part))
                await taken()
                part = []
                bytes = 0
            }
            part.append(element)
            bytes += size
        }
        if !part.isEmpty { send(response(part)) }
    }
}

/// A value whose size in a response is known well enough to fill one.
protocol Sized {
    /// The approximate number of its bytes.
    var approximateBytes: Int { get }
}

extension ControlRecord: Sized {
    var approximateBytes: Int { values.reduce(64) { $0 + 8 + $1.value.approximateBytes } }
}

extension ControlTrash: Sized {
    var approximateBytes: Int { 64 + record.approximateBytes }
}

extension HistoryEntry: Sized {
    var approximateBytes: Int { 256 + (value?.approximateBytes ?? 0) }
}

extension Value: Sized {
    var approximateBytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .list(let values): values.reduce(8) { $0 + $1.approximateBytes }
        default: 12
        }
    }
}
