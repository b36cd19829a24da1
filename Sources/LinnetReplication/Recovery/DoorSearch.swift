import LinnetCRDT
import LinnetCrypto
package import LinnetMembership
package import LinnetWire

/// A group as the doors of a mailbox show it to whoever has its recovery phrase.
package struct FoundGroup: Sendable {
    /// The group.
    package let group: GroupID
    /// Its membership records, as far as they lie there, parents first.
    let records: [[UInt8]]
    /// The keys of all its epochs that the phrase opens.
    let keys: [MailKeys]
}

/// The reason why a recovery phrase and a mailbox lead to no group.
package enum DoorFault: Error, Equatable, Sendable {
    /// There is no door.
    case none
    /// The store could not be asked; the text is for people.
    case store(String)
    /// None of so many doors opens: the phrase is another one, or they are of other groups. Some of
    /// them are not given or damaged, some of a later version, and some would cost too much.
    case closed(doors: Int, damaged: Int, later: Int, tooCostly: Int)
    /// A door opens, and the records that it names are missing or damaged.
    case incomplete
    /// A door opens to a group for which the phrase never signed: somebody planted it.
    case planted
    /// Another phrase took the place of this one.
    case replaced
    /// The phrase opens doors of several groups.
    case severalGroups
    /// The phrase cannot be hashed here.
    case phrase(MembershipError)
}

/// The way of a device that has a recovery phrase and a mailbox, and nothing else, to the records
/// and keys of a group.
///
/// Nothing that lies there is trusted: what opens with the phrase has to lead to records, each
/// signed, among which the phrase's own key vouches for the group.
package struct DoorSearch {
    private typealias SealedDoor = (name: MailName, bytes: [UInt8])

    private let ask: (MailRequest) -> MailAnswer
    private var (damaged, later, tooCostly) = (0, 0, 0)

    private init(_ ask: @escaping (MailRequest) -> MailAnswer) { self.ask = ask }

    /// Finds the group of a phrase in a mailbox.
    ///
    /// - Parameter ask: asks the store, and waits for its answer.
    package static func find(
        _ phrase: RecoveryPhrase, asking ask: @escaping (MailRequest) -> MailAnswer
    ) throws(DoorFault) -> FoundGroup {
        var search = DoorSearch(ask)
        let names = try search.names(.door)
        guard !names.isEmpty else { throw .none }
        var found = OrderedTable<GroupID, FoundGroup>()
        var fault: DoorFault?
        for (lock, doors) in try search.doors(names) {
            let keys = try Self.keys(of: lock, phrase)
            let opened = search.open(doors, keys)
            for group in OrderedSet(opened.map(\.group)) where found[group] == nil {
                do throws(DoorFault) {
                    found[group] = try search.group(
                        behind: opened.filter { $0.group == group }, phrase, keys)
                } catch {
                    if case .store = error { throw error }
                    fault = fault ?? error
                }
            }
        }
        guard found.count < 2 else { throw .severalGroups }
        guard let only = found.values.first else {
            throw fault
                ?? .closed(
                    doors: names.count, damaged: search.damaged, later: search.later,
                    tooCostly: search.tooCostly)
        }
        return only
    }

    private static func keys(
        of lock: DoorLock, _ phrase: RecoveryPhrase
    ) throws(DoorFault) -> DeviceKeys {
        do throws(MembershipError) {
            return try DeviceKeys(
                recovering: phrase, salt: lock.salt, cost: lock.cost, createdMilliseconds: 0)
        } catch {
            throw .phrase(error)
        }
    }

    // MARK: The store

    private func names(_ kind: MailKind) throws(DoorFault) -> [MailName] {
        switch ask(.list(kind)) {
        case .names(let texts):
            let names = texts.prefix(Limits.mailNames).compactMap { MailName(text: $0) }
            return OrderedSet(names.filter { $0.kind == kind }).elements.sorted()
        case .failed(let reason, _): throw .store(reason)
        case .bytes, .done: throw .store("the store answered something else than it was asked")
        }
    }

    private func bytes(_ name: MailName) throws(DoorFault) -> [UInt8]? {
        switch ask(.get(name)) {
        case .bytes(let bytes): return bytes.flatMap { $0.count <= name.kind.mostBytes ? $0 : nil }
        case .failed(let reason, _): throw .store(reason)
        case .names, .done: throw .store("the store answered something else than it was asked")
        }
    }

    // MARK: Doors

    /// Gets doors, by the locks for which the phrase has to be hashed.
    private mutating func doors(
        _ names: [MailName]
    ) throws(DoorFault) -> [(lock: DoorLock, doors: [SealedDoor])] {
        var found: [(lock: DoorLock, doors: [SealedDoor])] = []
        for name in names.prefix(Limits.mailDoors) {
            guard let sealed = try bytes(name) else {
                damaged += 1
                continue
            }
            do throws(DoorLock.Fault) {
                let lock = try DoorLock(of: sealed)
                if let place = found.firstIndex(where: { $0.lock == lock }) {
                    found[place].doors.append((name, sealed))
                } else if found.count < Limits.mailDoorSalts {
                    found.append((lock, [(name, sealed)]))
                }
            } catch {
                count(error)
            }
        }
        return found
    }

    private mutating func count(_ fault: DoorLock.Fault) {
        switch fault {
        case .damaged: damaged += 1
        case .later: later += 1
        case .tooCostly: tooCostly += 1
        }
    }

    /// Opens doors, whose names have to be right under the keys in them.
    private mutating func open(
        _ doors: [SealedDoor], _ keys: borrowing DeviceKeys
    ) -> [MailDoor] {
        var opened: [MailDoor] = []
        for (name, sealed) in doors {
            do throws(DoorLock.Fault) {
                guard let door = try MailDoor.open(sealed, with: keys) else { continue }
                guard door.keys.name(of: sealed, .door) == name else { throw .damaged }
                opened.append(door)
            } catch {
                count(error)
            }
        }
        return opened
    }

    // MARK: Records

    /// Returns the group behind its doors, which may be of several epochs.
    private func group(
        behind doors: [MailDoor], _ phrase: RecoveryPhrase, _ keys: borrowing DeviceKeys
    ) throws(DoorFault) -> FoundGroup {
        var log: MembershipLog?
        for door in doors {
            guard let records = try records(behind: door) else { continue }
            if log == nil {
                let read = try? MembershipLog(stored: records.map(\.encoded))
                // Whoever planted it could name any group in the door.
                guard read?.group == door.group else { throw .planted }
                log = read
            } else {
                _ = log?.insert(contentsOf: records)
            }
        }
        guard var log else { throw .incomplete }
        let mail = try followBridges(from: doors, &log, keys)
        try check(log, phrase, keys)
        return FoundGroup(group: log.group, records: log.records.map(\.encoded), keys: mail)
    }

    /// The records that a door names; nil where they are not all there.
    private func records(behind door: MailDoor) throws(DoorFault) -> [MemberRecord]? {
        var records: [MemberRecord] = []
        for part in door.parts {
            guard let sealed = try bytes(MailName(.bridge, part)),
                let read = Self.records(in: sealed, MailName(.bridge, part), door.keys, door.group)
            else { return nil }
            records += read
        }
        return records
    }

    /// Reads a bridge under the keys of an epoch; nil where it is none of theirs.
    private static func records(
        in sealed: [UInt8], _ name: MailName, _ keys: MailKeys, _ group: GroupID
    ) -> [MemberRecord]? {
        guard keys.name(of: sealed, .bridge) == name, let content = keys.open(sealed, .bridge),
            let records = try? MailBridge.decode(content, of: group)
        else { return nil }
        return records.compactMap { try? MemberRecord(decoding: $0) }
    }

    /// Adds the records of all bridges to which the keys lead; returns the keys.
    private func followBridges(
        from doors: [MailDoor], _ log: inout MembershipLog, _ keys: borrowing DeviceKeys
    ) throws(DoorFault) -> [MailKeys] {
        let group = log.group
        var mail: [MailKeys] = []
        func add(_ more: [MailKeys]) -> Bool {
            let new = more.filter { one in !mail.contains { $0.epoch == one.epoch } }
            mail += new
            return !new.isEmpty
        }
        _ = add(doors.map(\.keys))
        _ = add(KeyRing(log: log, keys: keys).epochs.compactMap(MailKeys.init))
        var waiting = try names(.bridge)
        repeat {
            var (unread, strangers): ([MailName], Int) = ([], 0)
            for name in waiting {
                guard strangers < MailListing.strangers, let sealed = try bytes(name) else {
                    unread.append(name)
                    continue
                }
                let records = mail.lazy.compactMap { one in
                    Self.records(in: sealed, name, one, group)
                }.first
                if let records {
                    _ = log.insert(contentsOf: records)
                } else {
                    unread.append(name)
                    strangers += 1
                }
            }
            waiting = unread
        } while add(KeyRing(log: log, keys: keys).epochs.compactMap(MailKeys.init))
        return mail
    }

    /// Throws unless the phrase is that of the group, and vouches for it.
    private func check(
        _ log: MembershipLog, _ phrase: RecoveryPhrase, _ keys: borrowing DeviceKeys
    ) throws(DoorFault) {
        let recovery = GroupRecovery(log)
        guard recovery.isKey(keys.device) else { throw .planted }
        guard log.state.recovery?.device == keys.device else { throw .replaced }
        guard recovery.hasWarrant else { throw .planted }
        do throws(MembershipError) {
            _ = try recovery.keys(from: phrase)
        } catch {
            guard error == .wrongRecoveryPhrase else { throw .phrase(error) }
            throw .planted
        }
    }
}
