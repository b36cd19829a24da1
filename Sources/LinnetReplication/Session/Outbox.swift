import LinnetCRDT
import LinnetCompanion
import LinnetWire

/// The events and ends of links that one call of `handle` gathers, to be handed out after the
/// commit.
struct Outbox {
    private(set) var events: [Event] = []
    private(set) var closing: [LinkID] = []
    /// The events of notices that have to be kept for the person.
    private var matters: [Notice.Matter] = []
    var witness: WitnessMark?
    /// The records in the order in which they changed first, each once.
    private var changed: ChangedKeys = []

    private var laneEffects: [CompanionEffect] = []
    private var mailEffects: [MailEffect] = []

    /// The records that changed so far, in the order of their first change.
    var changedKeys: ChangedKeys { changed }

    mutating func lane(_ effect: CompanionEffect) { laneEffects.append(effect) }
    mutating func mail(_ effect: MailEffect) { mailEffects.append(effect) }
    mutating func notify(_ event: Event) { events.append(event) }
    mutating func warn(_ warning: Warning) {
        events.append(.warning(warning))
        if let matter = warning.matter { matters.append(matter) }
    }

    mutating func takeMatters() -> [Notice.Matter] {
        defer { matters = [] }
        return matters
    }

    mutating func close(_ link: LinkID) { closing.append(link) }
    mutating func changed(_ key: RecordKey) { changed.append(key) }

    /// Takes in the events of another one, which come later.
    mutating func append(_ later: Outbox) {
        events += later.events
        matters += later.matters
        mailEffects += later.mailEffects
        let known = OrderedSet(Array(changed))
        for key in later.changed where !known.contains(key) { changed.append(key) }
    }

    /// Returns the effects in the order in which the shell performs them: the witness, then the
    /// sends, then the ends of links, then the events.
    func effects(sends: [(LinkID, [UInt8])]) -> [Effect] {
        var effects: [Effect] = []
        if let witness { effects.append(.witness(witness)) }
        for (link, bytes) in sends where !bytes.isEmpty { effects.append(.send(link, bytes)) }
        for link in closing { effects.append(.close(link)) }
        for event in events { effects.append(.notify(event)) }
        for effect in laneEffects { effects.append(.lane(effect)) }
        for effect in mailEffects { effects.append(.mail(effect)) }
        if !changed.isEmpty { effects.append(.notify(.recordsChanged(changed))) }
        return effects
    }
}
