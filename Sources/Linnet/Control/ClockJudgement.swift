import LinnetCRDT
import LinnetControl
import LinnetWire

/// The evidence about this device's clock: the clocks of other devices, as they were when these
/// were last met, and the newest change that is held.
struct ClockJudgement {
    /// The clock of another device.
    struct Opinion {
        var device: Device
        /// The other clock minus this one, in milliseconds.
        var skewMilliseconds: Int64
        /// The time since it was met, in milliseconds.
        var agoMilliseconds: Int64

        var isOff: Bool { skewMilliseconds.magnitude > UInt64(Limits.clockSkewMilliseconds) }
    }

    var now: Int64
    /// The newest timestamp that this device wrote or took over, in Unix milliseconds.
    var newestStamp: Int64
    var opinions: [Opinion]

    private static let remedy =
        "Set the clock that is wrong (timedatectl); nothing is lost meanwhile, but the order of"
        + " changes made apart may surprise."
    /// The years from the one in which this version was written on, for a century.
    private static let plausible: ClosedRange<Int64> = 1_735_689_600_000...4_891_363_200_000

    /// True when the clock shows a time that can be.
    var isPlausible: Bool { Self.plausible.contains(now) }

    var findings: [HealthFinding] {
        let text = "it is \(Value.instant(now).description) here"
        guard isPlausible else {
            return [
                HealthFinding("clock", .warning, "\(text), which cannot be", remedy: Self.remedy)
            ]
        }
        var findings = opinions.filter(\.isOff).map { opinion in
            HealthFinding(
                "clock", .warning,
                NodeWarning.clockSkew(opinion.device, milliseconds: opinion.skewMilliseconds)
                    .description + ", met \(Ago.words(opinion.agoMilliseconds))",
                remedy: Self.remedy)
        }
        if let own = ownFault { findings.insert(own, at: 0) }
        let behind = newestStamp - now
        if behind > Limits.clockSkewMilliseconds {
            findings.append(
                HealthFinding(
                    "clock", .warning,
                    "\(text), \(behind / 1000) s before the newest change that this device holds:"
                        + " its clock was set back, or was ahead when that was written",
                    remedy: Self.remedy))
        }
        if !findings.isEmpty { return findings }
        guard let last = opinions.map(\.agoMilliseconds).min() else {
            return [
                HealthFinding(
                    "clock", .good,
                    "\(text), not before the newest change held; no other device was met to compare"
                        + " it with")
            ]
        }
        return [
            HealthFinding(
                "clock", .good,
                "\(text); \(Plural.of(opinions.count, "other device")) agreed,"
                    + " the last one met \(Ago.words(last))")
        ]
    }

    /// The finding that this clock is the wrong one: most of several devices find it wrong in the
    /// same direction.
    var ownFault: HealthFinding? {
        for isAhead in [true, false] {
            let agreeing = opinions.filter { $0.isOff && ($0.skewMilliseconds < 0) == isAhead }
            guard agreeing.count > 1, agreeing.count * 2 > opinions.count else { continue }
            return HealthFinding(
                "clock", .warning,
                "this device's own clock seems to be \(isAhead ? "ahead" : "behind"):"
                    + " \(agreeing.count) of \(opinions.count) other devices say so",
                remedy: Self.remedy)
        }
        return nil
    }
}
