public import LinnetCRDT
import LinnetCrypto
import LinnetWire

extension RecordID {
    /// Makes the identifier of the thing that these parts name. It is the same on every device: two
    /// devices that create the same thing create the same record, and its fields merge.
    ///
    /// It has 26 letters and digits, from BLAKE2b over the parts with their lengths. Two Unicode
    /// spellings of one letter are different parts, as everywhere.
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
