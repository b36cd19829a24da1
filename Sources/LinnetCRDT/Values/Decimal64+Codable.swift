extension Decimal64: Codable {
    /// Writes the number as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads a number from text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = Decimal64(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a decimal number")
        }
        self = number
    }
}
