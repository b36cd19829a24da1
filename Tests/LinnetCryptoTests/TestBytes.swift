import LinnetCrypto

/// Bytes written as hexadecimal digits; anything else in the text is a mistake of the test.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "bad hex: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The numbers from zero up, as bytes.
func counting(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0) }
}

/// A secret with the bytes 0, 1, 2, …
func countingSecret(_ count: Int) -> SecretBytes {
    SecretBytes(copying: counting(count))
}
