import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// Opens a link between two devices, if the network and both processes allow it.
    func dial(
        _ from: SimulatedDevice, _ to: SimulatedDevice, _ origin: LinkOrigin, meeting: Encounter?
    ) throws(Violation) -> (LinkID, LinkID)? {
        guard from.isRunning, to.isRunning, !network.isBlocked(from.index, to.index),
            !network.isBlocked(to.index, from.index)
        else { return nil }
        let ends = network.connect(from.index, to.index) { left, right in
            (
                NetworkLink(peerEnd: right, from: from.index, to: to.index, meeting: meeting),
                NetworkLink(peerEnd: left, from: to.index, to: from.index, meeting: meeting)
            )
        }
        from.links.append(ends.0)
        to.links.append(ends.1)
        meeting?.ends = ends
        meeting?.opened += 1
        trace.recorder?.link(now, from.index, to.index, isUp: true)
        try feed(to, .linkOpened(ends.1, .accepted))
        try feed(from, .linkOpened(ends.0, origin))
        return ends
    }

    /// Puts bytes on their way, through the weather of the link.
    func transmit(_ bytes: [UInt8], from end: LinkID) throws(Violation) {
        guard let link = network[end], !link.isDead else { return }
        try expose(bytes, from: link.from, "crosses the network")
        if let meeting = link.meeting, !meeting.weather.isCalm, !isHealing {
            try transmit(bytes, from: end, through: meeting)
        } else {
            dispatch(bytes, from: end)
        }
    }

    private func transmit(
        _ bytes: [UInt8], from end: LinkID, through meeting: Encounter
    ) throws(Violation) {
        let weather = meeting.weather
        var bytes = bytes
        if meeting.random.chance(weather.drop, in: 1_000) {
            coverage.happened(.drop)
            return
        }
        if meeting.random.chance(weather.flip, in: 1_000), !bytes.isEmpty {
            coverage.happened(.bitFlip)
            let bit = meeting.random.below(bytes.count * 8)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        if meeting.random.chance(weather.truncate, in: 1_000) {
            coverage.happened(.truncate)
            dispatch(Array(bytes.prefix(meeting.random.below(bytes.count + 1))), from: end)
            cut(end)
            return
        }
        if let overtaken = network[end]?.overtaken {
            network[end]?.overtaken = nil
            dispatch(bytes, from: end)
            dispatch(overtaken, from: end)
            return
        }
        if meeting.random.chance(weather.reorder, in: 1_000) {
            coverage.happened(.reorder)
            network[end]?.overtaken = bytes
            return
        }
        dispatch(bytes, from: end)
        if meeting.random.chance(weather.duplicate, in: 1_000) {
            coverage.happened(.duplicate)
            dispatch(bytes, from: end)
        }
    }

    /// Schedules the arrival of bytes, behind everything sent before them.
    private func dispatch(_ bytes: [UInt8], from end: LinkID) {
        guard let link = network[end] else { return }
        if network.isBlocked(link.from, link.to) {
            link.held.append(bytes)
            return
        }
        if link.recorded.count < 12, plan.recordsLinks { link.recorded.append(bytes) }
        let latency = link.meeting.map { Int64($0.random.number(in: $0.weather.latency)) } ?? 5
        if latency >= 1_000 { coverage.happened(.slowLink) }
        link.lastArrival = max(link.lastArrival, now + latency)
        guard let meeting = link.meeting, meeting.weather.drips, bytes.count > 1, !isHealing else {
            queue.schedule(.arrival(link.peerEnd, bytes), at: link.lastArrival)
            return
        }
        coverage.happened(.drip)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + meeting.random.below(min(rest.count, 200)))
            rest = rest.dropFirst(piece.count)
            queue.schedule(.arrival(link.peerEnd, Array(piece)), at: link.lastArrival)
        }
    }

    func arrive(_ bytes: [UInt8], at end: LinkID) throws(Violation) {
        guard let link = network[end], !link.isDead else { return }
        link.meeting?.traffic.bytes += bytes.count
        link.meeting?.traffic.messages += 1
        trace.arrival(now, from: link.to, to: link.from, bytes)
        let (batches, batchBytes) = (inspector.newBatches, inspector.newBytes)
        let fileBytes = files?.keptBytes ?? 0
        let before = received(by: link.from)
        try feed(devices[link.from], .received(end, bytes))
        link.meeting?.traffic.newBatches += inspector.newBatches - batches
        link.meeting?.traffic.newBytes += inspector.newBytes - batchBytes
        link.meeting?.traffic.newFileBytes += (files?.keptBytes ?? 0) - fileBytes
        link.meeting?.traffic.ends[link.from]?
            .note(bytes.count, from: before, to: received(by: link.from))
    }

    /// The batches that a device ever got from others.
    func received(by device: Int) -> Totals {
        inspector.received[device] ?? Totals(count: 0, bytes: 0)
    }

    /// A device closed its end: the other hears of it behind the last byte.
    func closeLink(_ end: LinkID) {
        guard let link = network[end] else { return }
        forget(end)
        queue.schedule(.ended(link.peerEnd), at: max(now, link.lastArrival))
        guard let meeting = link.meeting, meeting.isToBeReopened else { return }
        meeting.isToBeReopened = false
        // The other end closes the same link when it hears the goodbye.
        guard meeting.isKeptUp, meeting.opened < 16, network[link.peerEnd] != nil else { return }
        queue.schedule(.redial(meeting), at: now + 500)
    }

    /// The end of a link reaches a device.
    func linkEnded(_ end: LinkID) throws(Violation) {
        guard let link = network[end] else { return }
        forget(end)
        try feed(devices[link.from], .linkClosed(end))
        guard let meeting = link.meeting, !meeting.isOver, meeting.redialsLeft > 0,
            network[link.peerEnd] == nil
        else { return }
        meeting.redialsLeft -= 1
        queue.schedule(.redial(meeting), at: now + 500)
    }

    /// A link breaks: both ends hear of it.
    func cut(_ end: LinkID) {
        guard let link = network[end] else { return }
        queue.schedule(.ended(end), at: now)
        queue.schedule(.ended(link.peerEnd), at: max(now, link.lastArrival))
    }

    private func forget(_ end: LinkID) {
        guard let link = network[end] else { return }
        if network[link.peerEnd] != nil {
            trace.recorder?.link(now, link.from, link.to, isUp: false)
        }
        if link.recorded.count > 2, network.recordings.count < 64 {
            network.recordings.append((to: link.to, messages: link.recorded))
        }
        network[end] = nil
        devices[link.from].links.removeAll { $0 == end }
    }

    /// The process at this end is gone; the other end hears of it, or of nothing.
    func abandon(_ end: LinkID) {
        guard let link = network[end] else { return }
        forget(end)
        link.meeting?.wasDisturbed = true
        if link.meeting?.weather.halfOpen == true, !isHealing {
            coverage.happened(.halfOpen)
            network[link.peerEnd]?.isDead = true
        } else {
            queue.schedule(.ended(link.peerEnd), at: max(now, link.lastArrival) + 1)
        }
    }

    /// Lets a direction flow again, in the order in which its links were made.
    func unblock(_ routes: [Route]) {
        network.unblock(routes)
        for route in routes where !network.isBlocked(route.from, route.to) {
            for end in devices[route.from].links where network[end]?.to == route.to {
                let held = network[end]?.held ?? []
                network[end]?.held = []
                for bytes in held { dispatch(bytes, from: end) }
            }
        }
    }
}
