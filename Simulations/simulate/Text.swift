/// Numbers as people read them.
enum Text {
    /// Thousandths with two decimals.
    static func decimal(_ thousandths: Int64) -> String {
        let rest = String(abs(thousandths) % 1_000 / 10)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 2 - rest.utf8.count)
            + rest
    }

    /// A number with two decimals.
    static func decimal(_ number: Double) -> String {
        number.isFinite ? decimal(Int64(number * 1_000)) : "?"
    }

    /// Seconds as minutes and hours.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds)
        if whole < 100 { return "\(whole) s" }
        if whole < 7_200 { return "\(whole / 60) min" }
        return "\(whole / 3_600) h \(whole / 60 % 60) min"
    }
}
