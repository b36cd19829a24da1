package import LinnetCRDT
import LinnetWire

extension MedicationPlanner {
    /// The monthly totals that are to be written: those that are not there, and those that say
    /// something else than all events do.
    ///
    /// A function of the records alone, whoever asks: on a second device, or a second time, nothing
    /// is left to write. A total that counts more events than are held here stays, since its
    /// writer knew more.
    ///
    /// - Parameter since: the first month whose total is looked at again where there is one; nil
    ///   for all.
    package func totals(
        again since: Month? = nil
    ) throws(MedicationError) -> [Write] {
        guard book.coverage.isEverything else { return [] }
        var writes: [Write] = []
        for month in book.totalMonths(now: now) {
            if let since, month < since, book.totals[month] != nil { continue }
            guard let total = try book.total(of: month, now: now, zones: zones),
                let id = RecordID(month.description)
            else { continue }
            if let known = book.totals[month] {
                // A clock that is ahead may have counted more days.
                guard known.days <= total.days, known != total,
                    known.days < total.days || known.events <= total.events
                else { continue }
            }
            writes.append(Write(Schema.doseTotal.id, id, [total.change]))
        }
        return writes
    }
}
