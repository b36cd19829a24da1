/// The names in what a store over HTTP lists; none of it is trusted.
package enum StoreListing {
    /// A part of the names of a bucket.
    package struct Keys: Equatable, Sendable {
        /// The whole keys.
        package var keys: [String] = []
        /// The mark at which the next part begins; nil at the end.
        package var next: String?

        /// Begins with nothing.
        package init() {}
    }

    private static let dav = "DAV:"

    /// Returns the last part of the path of each resource that a collection lists (RFC 4918), that
    /// of the collection itself included.
    ///
    /// The first parts of a path do not matter, since servers in between change them, nor does it
    /// matter which properties a resource has.
    package static func resources(
        _ bytes: [UInt8], upTo limit: Int
    ) throws(MailboxError) -> [String] {
        var names: [String] = []
        var reference: String?
        var isGone = false
        try walk(bytes, root: "multistatus", space: dav) { path, text in
            guard path.count < 4, path.allSatisfy({ $0.space == dav }) else { return }
            switch path.map(\.local) {
            case ["multistatus", "response", "href"]: reference = reference ?? text
            case ["multistatus", "response", "status"]:
                isGone = text.split(separator: " ").dropFirst().first?.hasPrefix("2") != true
            case ["multistatus", "response"]:
                if let reference, !isGone, names.count < limit {
                    names.append(lastPart(of: reference))
                }
                (reference, isGone) = (nil, false)
            default: break
            }
        }
        return names
    }

    /// Returns the keys in an answer to `ListObjectsV2`.
    package static func keys(_ bytes: [UInt8]) throws(MailboxError) -> Keys {
        var found = Keys()
        var isTruncated = false
        try walk(bytes, root: "ListBucketResult", space: nil) { path, text in
            switch path.dropFirst().map(\.local) {
            case ["Contents", "Key"]: found.keys.append(text)
            case ["IsTruncated"]: isTruncated = text == "true"
            case ["NextContinuationToken"]: found.next = text
            default: break
            }
        }
        if !isTruncated { found.next = nil }
        if isTruncated, found.next?.isEmpty != false {
            throw .badListing("it says that it goes on, and not where")
        }
        return found
    }

    /// Returns the word by which a store of S3 names an error; empty where it is none that a
    /// person can be shown.
    package static func errorCode(_ bytes: [UInt8]) -> String {
        var code = ""
        do throws(MailboxError) {
            try walk(bytes, root: "Error", space: nil) { path, text in
                if path.dropFirst().map(\.local) == ["Code"] { code = text }
            }
        } catch {
            // An error page of another form has no word.
            return ""
        }
        let isPlain = code.utf8.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
        return isPlain && code.utf8.count <= 64 ? code : ""
    }

    /// Calls `body` at the end of each element, with the elements from the root to it.
    private static func walk(
        _ bytes: [UInt8], root: String, space: String?,
        _ body: ([XMLReader.Name], String) -> Void
    ) throws(MailboxError) {
        var reader = XMLReader(bytes)
        var path: [XMLReader.Name] = []
        do throws(XMLFault) {
            while let step = try reader.next() {
                switch step {
                case .begin(let name):
                    path.append(name)
                    let isRight =
                        path.count > 1
                        || (name.local == root && (space == nil || space == name.space))
                    guard isRight else { throw .forbidden }
                case .end(_, let text):
                    body(path, text)
                    path.removeLast()
                }
            }
        } catch {
            switch error {
            case .malformed: throw .badListing("it is not well-formed XML")
            case .forbidden: throw .badListing("it is no XML of the kind that was asked for")
            case .tooDeep: throw .badListing("its XML is nested too deep")
            }
        }
    }

    /// Returns the last part of a path or URL, decoded.
    private static func lastPart(of reference: String) -> String {
        let bytes = reference.utf8.filter { $0 > 0x20 }
        let end = bytes.lastIndex { $0 != 0x2f }.map { $0 + 1 } ?? 0
        let start = bytes[..<end].lastIndex(of: 0x2f).map { $0 + 1 } ?? 0
        let part = bytes[start..<end]
        var decoded: [UInt8] = []
        var index = part.startIndex
        while index < part.endIndex {
            if part[index] == 0x25, index + 2 < part.endIndex,
                part[index + 1] != 0x2b, part[index + 1] != 0x2d,
                let byte = UInt8(
                    String(decoding: part[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(part[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
