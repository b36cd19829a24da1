/// The reason why a text is no XML that is read here.
package enum XMLFault: Error, Equatable, Sendable {
    /// It is not well formed.
    case malformed
    /// It has a document type, or an encoding other than UTF-8.
    case forbidden
    /// Its elements or attributes are too many within each other.
    case tooDeep
}

/// Reads XML from a store element by element. It knows no document type, no entities but the five
/// of XML itself, and no encoding but UTF-8, so that a text of some bytes is never more than that.
package struct XMLReader {
    /// The deepest element.
    package static let mostDepth = 32
    /// The most attributes of an element, and namespaces that are in force at once.
    package static let mostAttributes = 64

    /// The name of an element and its namespace.
    package struct Name: Equatable, Sendable {
        /// The namespace; empty where there is none.
        package let space: String
        /// The name without its prefix.
        package let local: String
    }

    /// A step through the text.
    package enum Step: Equatable, Sendable {
        /// An element begins.
        case begin(Name)
        /// An element ends; with the text that stood in it and in no element within it.
        case end(Name, text: String)
    }

    private struct Open {
        var tag: ArraySlice<UInt8>
        var name: Name
        var namespaces: Int
        var text: [UInt8] = []
    }

    private let bytes: [UInt8]
    private var place = 0
    private var open: [Open] = []
    private var namespaces: [(prefix: ArraySlice<UInt8>, space: String)] = []
    private var closesItself = false
    private var hasRoot = false

    /// Begins to read.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
    }

    /// Returns the next step; nil at the end.
    package mutating func next() throws(XMLFault) -> Step? {
        if closesItself {
            closesItself = false
            return try close()
        }
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                try takeText()
                continue
            }
            if starts("<!--") {
                try skip(past: "-->", from: place + 4)
            } else if starts("<![CDATA[") {
                try takeData()
            } else if starts("<?") {
                try takeInstruction()
            } else if starts("<!") {
                throw .forbidden
            } else if starts("</") {
                return try closeNamed()
            } else {
                return try begin()
            }
        }
        guard open.isEmpty, hasRoot else { throw .malformed }
        return nil
    }

    // MARK: Elements

    private mutating func begin() throws(XMLFault) -> Step {
        guard !open.isEmpty || !hasRoot else { throw .malformed }
        guard open.count < Self.mostDepth else { throw .tooDeep }
        place += 1
        let tag = try takeName()
        let before = namespaces.count
        var count = 0
        while true {
            let hadSpace = skipSpace()
            if starts(">") || starts("/>") { break }
            guard hadSpace else { throw .malformed }
            count += 1
            guard count <= Self.mostAttributes else { throw .tooDeep }
            try takeAttribute()
        }
        closesItself = starts("/>")
        place += closesItself ? 2 : 1
        let name = try resolve(tag)
        hasRoot = true
        open.append(Open(tag: tag, name: name, namespaces: before))
        return .begin(name)
    }

    private mutating func closeNamed() throws(XMLFault) -> Step {
        place += 2
        let tag = try takeName()
        _ = skipSpace()
        guard starts(">"), open.last?.tag == tag else { throw .malformed }
        place += 1
        return try close()
    }

    private mutating func close() throws(XMLFault) -> Step {
        guard let last = open.popLast() else { throw .malformed }
        namespaces.removeLast(namespaces.count - last.namespaces)
        guard let text = String(validating: last.text, as: UTF8.self) else { throw .malformed }
        return .end(last.name, text: text)
    }

    private mutating func takeAttribute() throws(XMLFault) {
        let name = try takeName()
        _ = skipSpace()
        guard starts("=") else { throw .malformed }
        place += 1
        _ = skipSpace()
        guard place < bytes.count, bytes[place] == 0x22 || bytes[place] == 0x27 else {
            throw .malformed
        }
        let quote = bytes[place]
        place += 1
        var value: [UInt8] = []
        while place < bytes.count, bytes[place] != quote {
            guard bytes[place] != UInt8(ascii: "<") else { throw .malformed }
            try takeCharacter(into: &value)
        }
        guard place < bytes.count else { throw .malformed }
        place += 1
        let isDefault = name.elementsEqual("xmlns".utf8)
        guard isDefault || name.starts(with: "xmlns:".utf8) else { return }
        guard namespaces.count < Self.mostAttributes else { throw .tooDeep }
        guard let space = String(validating: value, as: UTF8.self) else { throw .malformed }
        namespaces.append((isDefault ? [] : name.dropFirst(6), space))
    }

    private func resolve(_ tag: ArraySlice<UInt8>) throws(XMLFault) -> Name {
        let parts = tag.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? parts[0] : []
        guard let local = parts.last.flatMap({ String(validating: $0, as: UTF8.self) }),
            !local.isEmpty
        else { throw .malformed }
        if let found = namespaces.last(where: { $0.prefix == prefix }) {
            return Name(space: found.space, local: local)
        }
        guard prefix.isEmpty, parts.count == 1 else { throw .malformed }
        return Name(space: "", local: local)
    }

    // MARK: Text

    private mutating func takeText() throws(XMLFault) {
        guard !open.isEmpty else {
            guard skipSpace() else { throw .malformed }
            return
        }
        // The text is taken out meanwhile, since a copy for each character would take for ever.
        var text: [UInt8] = []
        swap(&text, &open[open.count - 1].text)
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
            let end = endOfPlain()
            text += bytes[place..<end]
            place = end
            if place < bytes.count, bytes[place] != UInt8(ascii: "<") {
                try takeCharacter(into: &text)
            }
        }
        swap(&text, &open[open.count - 1].text)
    }

    /// Returns the end of the characters from here on that stand for themselves.
    private func endOfPlain() -> Int {
        var end = place
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "<"),
            bytes[end] != UInt8(ascii: "&")
        {
            end += 1
        }
        return end
    }

    private mutating func takeCharacter(into text: inout [UInt8]) throws(XMLFault) {
        let byte = bytes[place]
        guard byte == UInt8(ascii: "&") else {
            guard byte >= 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d else {
                throw .malformed
            }
            text.append(byte)
            place += 1
            return
        }
        let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        guard let end else { throw .malformed }
        let word = String(decoding: bytes[place + 1..<end], as: UTF8.self)
        switch word {
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "amp": text.append(UInt8(ascii: "&"))
        case "apos": text.append(UInt8(ascii: "'"))
        case "quot": text.append(UInt8(ascii: "\""))
        default: text += try Self.reference(word)
        }
        place = end + 1
    }

    private static func reference(_ word: String) throws(XMLFault) -> [UInt8] {
        let isHex = word.hasPrefix("#x")
        let digits = word.dropFirst(isHex ? 2 : 1)
        // Int also reads a sign, which no reference has.
        guard word.hasPrefix("#"), digits.utf8.allSatisfy({ $0 >= 0x30 }),
            let number = UInt32(digits, radix: isHex ? 16 : 10),
            number >= 0x20 || [0x09, 0x0a, 0x0d].contains(number),
            let scalar = Unicode.Scalar(number)
        else { throw .malformed }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func takeData() throws(XMLFault) {
        guard !open.isEmpty else { throw .malformed }
        let start = place + 9
        try skip(past: "]]>", from: start)
        open[open.count - 1].text += bytes[start..<place - 3]
    }

    private mutating func takeInstruction() throws(XMLFault) {
        let start = place
        try skip(past: "?>", from: place + 2)
        let words = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        if words.hasPrefix("<?xml "), words.contains("encoding"), !words.contains("utf-8") {
            throw .forbidden
        }
    }

    // MARK: Bytes

    private func starts(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe bytes[place...].starts(with: $0) }
    }

    private mutating func skip(past text: StaticString, from start: Int) throws(XMLFault) {
        place = start
        while place < bytes.count {
            if starts(text) {
                place += text.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw .malformed
    }

    private mutating func skipSpace() -> Bool {
        let start = place
        while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
        return place > start
    }

    private mutating func takeName() throws(XMLFault) -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
        guard place > start, !(0x30...0x39).contains(bytes[start]) else { throw .malformed }
        return bytes[start..<place]
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte >= 0x80
            || [0x2d, 0x2e, 0x3a, 0x5f].contains(byte)
    }
}
