import LinnetWire

extension Decimal64 {
    /// The number as an integer of 64 bits; nil when it is not one.
    package var whole: Int64? {
        guard exponent >= 0 else { return nil }
        var number = mantissa
        for _ in 0..<exponent {
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            number = product
        }
        return number
    }

    /// The bytes of an amount as it travels: those of an integer where it is one, else of a
    /// decimal.
    package var encodedAmount: [UInt8] {
        var writer = CBORWriter()
        if let whole {
            writer.signed(whole)
        } else {
            writer.array(3)
            writer.unsigned(Value.decimalForm)
            writer.signed(mantissa)
            writer.signed(Int64(exponent))
        }
        return writer.bytes
    }

    init(encodedAmount bytes: [UInt8]) throws(CRDTError) {
        switch try Value.decode(bytes) {
        case .int(let number):
            guard let decimal = Decimal64(mantissa: number, exponent: 0) else {
                throw .valueTooLarge
            }
            self = decimal
        case .decimal(let decimal):
            guard decimal.whole == nil else { throw .wire(.nonCanonical) }
            self = decimal
        default:
            throw .unknownValue
        }
    }
}
