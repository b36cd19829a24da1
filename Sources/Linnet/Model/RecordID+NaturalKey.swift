public import LinnetCRDT
import LinnetCrypto
import LinnetWire

extension RecordID {
    /// The identifier of what these parts name, the same on every device: whoever creates the same
    /// thing creates the same record, and the fields merge.
    ///
    /// 26 letters and digits, from BLAKE2b over the parts with their lengths. Unicode spellings of
    /// one letter are different parts, as everywhere.
    public init(naturalKey parts: String...) {
        var writer = CBORWriter()
        writer.array(parts.count)
        for part in parts { writer.text(part) }
        let hash = Hash.blake2b(.naturalKey, writer.bytes, count: 16)
        guard let id = RecordID(TextAlphabet.base32.encode(hash)) else {
            preconditionFailure("letters and digits make a record identifier")
        }
        self = id
    }
}
