/// A fleet with all that anybody signed, small enough that its histories can be played by the
/// hundred thousand: the protocol of settled cuts, on which folding old batches is to stand.
///
/// A batch is a number and a past, a device is sets of numbers. What a device shows follows from
/// what it holds (`shown`), so that a history is nothing but steps, and every state can be judged
/// (`fault`, `stall`).
package struct CutWorld: Hashable, Sendable {
    /// The rule that this fleet does not keep.
    let broken: CutRule?
    /// The devices of the beginning.
    let founders: CutSet
    var devices: [CutDevice]
    /// The copy of each device that may be put back.
    var images: [CutDevice?]
    var batches: [CutBatch] = []
    var cuts: [ProposedCut] = []
    var promises: [CutPromise] = []
    var settlements: [CutSettlement] = []
    var records: [CutRecord] = []
    /// Devices whose own writes may end among the late ones.
    var disturbed: CutSet = 0
    /// Devices that are removed.
    var out: CutSet = 0
    /// Devices that were put back from a copy.
    var forgetful: CutSet = 0
    var left: CutAllowance

    /// A fleet that has written nothing, with places for newcomers and what may happen to it.
    ///
    /// - Parameters:
    ///   - devices: how many there are at first, from 1 to 8 with the newcomers.
    ///   - writes: from 0 to 20.
    ///   - times: how many troubles there may be.
    package init(
        devices: Int, newcomers: Int = 0, writes: Int, cuts: Int,
        troubles: Set<CutTrouble> = [], times: Int = 0, without broken: CutRule? = nil
    ) {
        self.broken = broken
        founders = (1 << CutSet(devices)) - 1
        let lives = (0..<devices).reduce(CutSet(0)) {
            $0 | CutAuthor(device: Int8($1), life: 0).bit
        }
        self.devices = (0..<devices + newcomers).map { index in
            var device = CutDevice()
            device.isThere = index < devices
            device.lives = lives
            return device
        }
        images = [CutDevice?](repeating: nil, count: devices + newcomers)
        left = CutAllowance(
            writes: Int8(writes), cuts: Int8(cuts), troubles: Int8(times), kinds: troubles)
    }

    /// True when this fleet keeps a rule.
    func keeps(_ rule: CutRule) -> Bool { rule != broken }
}
