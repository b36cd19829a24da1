import LinnetCRDT
import LinnetStorage
import LinnetWire

extension OpenState {
    /// Returns all that is held durably, by its difference from what the peer listed once that is
    /// known, and notes the numbers of the chains.
    func greetingListing(
        of chains: ChainBook, in store: any Store
    ) throws(StorageError) -> HaveMessage {
        guard heardHave else {
            let have = HaveMessage(listing: try fittingListing(of: chains, in: store))
            listings.own = have.listing.lines
            listings.isWhole = true
            return have
        }
        var (changed, lacking): ([NumberedHead], [Int]) = ([], [])
        var own: [NamedHead?] = []
        own.reserveCapacity(listings.theirs.count)
        for (number, theirs) in listings.theirs.enumerated() {
            guard let theirs else { continue }
            let held = grant.holds(theirs.key.scope) ? chains[theirs.key] : nil
            let ours = try held.flatMap { (row) throws(StorageError) in
                try chains.listedHead(of: row, in: store)
            }
            own.append(ours.map { NamedHead(key: theirs.key, head: $0) })
            if let ours, ours != theirs.head {
                changed.append(NumberedHead(number: number, seq: ours.seq, prefix: ours.prefix))
            } else if ours == nil {
                lacking.append(number)
            }
        }
        listings.own += own
        let others = try fittingListing(of: chains, in: store)
        listings.own += others.lines
        return HaveMessage(form: .relative(changed: changed, lacking: lacking), listing: others)
    }

    /// Returns as much as our `have` has room for of the chains that the peer did not number, and
    /// notes the rest.
    private func fittingListing(
        of chains: ChainBook, in store: any Store
    ) throws(StorageError) -> VectorListing {
        let fitting = try chains.listing(
            without: listings.numbers,
            upTo: max(0, VectorListing.chainsMaximum - listings.own.count), within: grant, in: store
        )
        listings.rest = fitting.rest
        return fitting.listing
    }

    /// Returns the heads of these chains and of those that the `have` left out, in as many messages
    /// as that takes.
    func acknowledgements(
        of keys: [ChainKey], in chains: ChainBook, mayGrant: Bool = true, _ store: any Store
    ) throws(SessionFault) -> [AckMessage] {
        var all = OrderedSet(keys)
        for key in listings.rest { all.insert(key) }
        listings.rest = []
        var rest = all.elements[...]
        var messages: [AckMessage] = []
        repeat {
            let page = Array(rest.prefix(VectorListing.chainsMaximum))
            rest = rest.dropFirst(page.count)
            if let message = try acknowledgement(
                of: page, in: chains, mayGrant: mayGrant, store)
            {
                messages.append(message)
            }
        } while !rest.isEmpty
        return messages
    }

    /// Takes in the numbers of the chains that a peer listed, and returns its whole listing.
    func numbered(_ have: HaveMessage) throws(SessionFault) -> VectorListing {
        var listing = VectorListing()
        if case .relative(let changed, let lacking) = have.form {
            // A peer that heard only our difference from its listing has nothing to differ from.
            guard listings.isWhole else { throw .violation }
            listings.theirs = listings.own
            for head in changed {
                guard listings.own.indices.contains(head.number),
                    let key = listings.own[head.number]?.key
                else { throw .violation }
                listings.theirs[head.number] = NamedHead(
                    key: key,
                    head: ListedHead(chain: key.chain, seq: head.seq, prefix: head.prefix))
            }
            for number in lacking {
                guard listings.own.indices.contains(number) else { throw .violation }
                listings.theirs[number] = nil
            }
        }
        listings.theirs += have.listing.lines
        let lines = listings.theirs
        var numbers = listings.numbers
        listings.numbers = OrderedTable()
        numbers.reserveCapacity(lines.count)
        for (number, line) in lines.enumerated() {
            guard let line else { continue }
            numbers[line.key] = PeerNumber(number: number, head: line.head)
            listing.append(line.head, of: line.key.scope)
        }
        listings.numbers = numbers
        return listing
    }

    /// Returns the heads of these chains that are held durably, those that the peer named in its
    /// `have` by number; nil when there is nothing to say.
    private func acknowledgement(
        of keys: [ChainKey], in chains: ChainBook, mayGrant: Bool, _ store: any Store
    ) throws(SessionFault) -> AckMessage? {
        var ack = AckMessage()
        let all = try stored { () throws(StorageError) in try chains.listing(of: keys, in: store) }
        for listed in all.scopes {
            var others: [ListedHead] = []
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                if let known = listings.numbers[key] {
                    ack.numbered.append(
                        NumberedHead(number: known.number, seq: head.seq, prefix: head.prefix))
                } else {
                    others.append(head)
                }
            }
            if !others.isEmpty {
                ack.listing.scopes.append(ListedScope(scope: listed.scope, heads: others))
            }
        }
        if mayGrant, let limit = receiving.grant() {
            ack.creditLimit = limit
        } else if !ack.listing.scopes.isEmpty {
            ack.creditLimit = receiving.limit
        } else if ack.numbered.isEmpty {
            return nil
        }
        return ack
    }

    /// Returns true when a peer listed exactly what this replica holds, all of it durable, and owes
    /// no keys of it.
    func isInStep(with chains: ChainBook, within own: ScopeFilter) -> Bool {
        guard heardHave, !askedKeys.isAnswerDue, sending.queue.isEmpty,
            chains.rows.count >= peer.count
        else { return false }
        let common = own == .everything ? greeting.scopes : greeting.scopes.intersection(own)
        let isWhole = common == .everything
        // Both are in the order of their keys.
        var listed = 0
        for (key, row) in chains.rows where ChainIndex.holdsAny(row) {
            guard isWhole || common.holds(key.scope) else { continue }
            guard let (theirs, head) = peer.entry(at: listed), theirs == key,
                head.seq == row.stored, head.prefix == row.head.prefix8,
                chains.durableSeq(row) == row.stored
            else { return false }
            listed += 1
        }
        return listed == peer.count
    }
}
