/// Regroups bytes into digits of a few bits each, as RFC 4648 does, without padding characters.
package enum BitGroups {
    /// Splits `bytes` into digits of `width` bits; the last one is filled with zero bits.
    package static func split(_ bytes: [UInt8], width: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var pending = 0
        var pendingBits = 0
        for byte in bytes {
            pending = pending << 8 | Int(byte)
            pendingBits += 8
            while pendingBits >= width {
                pendingBits -= width
                digits.append(UInt8(pending >> pendingBits))
                pending &= 1 << pendingBits - 1
            }
        }
        if pendingBits > 0 {
            digits.append(UInt8(pending << (width - pendingBits)))
        }
        return digits
    }

    /// Joins digits of `width` bits; nil if a whole digit is left over or a left-over bit is set.
    package static func join(_ digits: [UInt8], width: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending = 0
        var pendingBits = 0
        for digit in digits {
            pending = pending << width | Int(digit)
            pendingBits += width
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(pending >> pendingBits))
                pending &= 1 << pendingBits - 1
            }
        }
        return pendingBits < width && pending == 0 ? bytes : nil
    }
}
