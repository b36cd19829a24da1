import Foundation
import LinnetWire
import Testing

/// What stands in a vector file, as a reader in another language sees it.
struct Facts {
    let item: Any

    private init(_ item: Any) { self.item = item }

    /// Reads `docs/vectors/NAME.json`.
    init(file name: String) throws {
        let url = VectorFile.folder.appending(path: name + ".json")
        self.init(try JSONSerialization.jsonObject(with: Data(contentsOf: url)))
    }

    subscript(key: String) -> Facts {
        get throws {
            let object = try #require(item as? [String: Any])
            return Facts(try #require(object[key], "there is no \(key)"))
        }
    }

    /// Nil where the object lacks the key, or has null there.
    func optional(_ key: String) -> Facts? {
        guard let found = (item as? [String: Any])?[key], !(found is NSNull) else { return nil }
        return Facts(found)
    }

    /// What a failed expectation says.
    func comment(_ key: String) -> Comment { "\(optional(key)?.item ?? "")" }

    var items: [Facts] {
        get throws { try #require(item as? [Any]).map(Facts.init) }
    }

    var text: String {
        get throws { try #require(item as? String) }
    }

    var bytes: [UInt8] {
        get throws { try #require(Hex.decode(try text)) }
    }

    var number: UInt64 {
        get throws {
            if let text = item as? String { return try #require(UInt64(text)) }
            return try #require(item as? NSNumber).uint64Value
        }
    }

    var bytes32: Bytes32 {
        get throws { try #require(Bytes32(try bytes)) }
    }

    var bytes16: Bytes16 {
        get throws { try #require(Bytes16(try bytes)) }
    }

    var bytes8: Bytes8 {
        get throws { try #require(Bytes8(try bytes)) }
    }
}
