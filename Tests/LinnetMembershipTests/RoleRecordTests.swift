import LinnetMembership
import LinnetWire
import Testing

/// Roles that admins give to members.
struct RoleRecordTests {
    private func give(
        _ role: Role, to target: TestDevice, by author: TestDevice, _ log: MembershipLog
    ) throws -> [MemberRecord] {
        var entropy = entropy(6)
        return try RoleChange(log).records(
            giving: role, to: target.device, heads: [], ring: author.ring(log), keys: author.keys,
            entropy: &entropy)
    }

    private func insert(_ records: [MemberRecord], into log: inout MembershipLog) throws {
        for record in records { try log.insertAll(record) }
    }

    @Test func `an admin gives roles and takes them back`() throws {
        var (log, devices) = try group(of: 3)
        for role in [Role.member, .reader, .admin, .reader, .member] {
            let records = try give(role, to: devices[2], by: devices[0], log)
            #expect(records.count == 1)
            try insert(records, into: &log)
            #expect(log.state.member(devices[2].device)?.role == role)
            #expect(log.state.currentEpoch?.number == 1)
        }
    }

    @Test func `a device that becomes a relay lacks the next data key, and gets it back`() throws {
        var (log, devices) = try group(of: 3)
        let records = try give(.relay, to: devices[2], by: devices[0], log)
        #expect(records.count == 2)
        try insert(records, into: &log)
        let epoch = try #require(log.state.currentEpoch)
        #expect(epoch.number == 2)
        #expect(devices[1].ring(log).keys(of: epoch.id)?.dataKey != nil)
        let keys = devices[2].ring(log).keys(of: epoch.id)
        #expect(keys?.networkKey != nil && keys?.dataKey == nil)
        try insert(try give(.reader, to: devices[2], by: devices[0], log), into: &log)
        let next = try #require(log.state.currentEpoch)
        #expect(next.number == 3)
        #expect(devices[2].ring(log).keys(of: next.id)?.dataKey != nil)
    }

    @Test func `only an admin gives roles, and the last one stays an admin`() throws {
        var (log, devices) = try group(of: 2)
        try insert(try give(.member, to: devices[1], by: devices[0], log), into: &log)
        #expect(throws: MembershipError.notEntitled) {
            _ = try give(.admin, to: devices[1], by: devices[1], log)
        }
        #expect(throws: MembershipError.lastAdmin) {
            _ = try give(.member, to: devices[0], by: devices[0], log)
        }
        #expect(throws: MembershipError.notAMember) {
            _ = try give(.member, to: TestDevice(9), by: devices[0], log)
        }
        try insert(try give(.admin, to: devices[1], by: devices[0], log), into: &log)
        try insert(try give(.reader, to: devices[0], by: devices[0], log), into: &log)
        #expect(log.state.member(devices[0].device)?.role == .reader)
    }

    @Test func `a role that the others vote against is refused before it is signed`() throws {
        var (log, devices) = try group(of: 4)
        for device in devices.dropFirst() {
            let admission = try #require(log.state.member(device.device)).admission
            try log.insertAll(log.makeVote(isFor: true, admission, keys: device.keys))
        }
        let first = try give(.member, to: devices[3], by: devices[1], log)
        try insert(first, into: &log)
        for device in [devices[0], devices[2], devices[3]] {
            try log.insertAll(log.makeVote(isFor: false, first[0].id, keys: device.keys))
        }
        #expect(log.state.member(devices[3].device)?.role == .admin)
        #expect(throws: MembershipError.outvoted) {
            _ = try give(.member, to: devices[3], by: devices[1], log)
        }
        let told = Removals(log).withRoles
        #expect(told.map(\.role) == [.member] && told.map(\.stands) == [false])
        // The author accepts those that were there before it, and the target speaks for itself.
        #expect(told[0].no == [devices[0].device, devices[3].device].sorted())
        #expect(told[0].silent.isEmpty)
        #expect(Removals(log).all.isEmpty)
        #expect(Removals(log).word(of: devices[0].device, on: first[0].id) == false)
        #expect(Removals(log).word(of: devices[1].device, on: first[0].id) == true)
    }

    @Test func `a duel names its records, and who has not spoken`() throws {
        var (log, devices) = try group(of: 3)
        let first = try give(.member, to: devices[0], by: devices[1], log)
        let second = try give(.member, to: devices[1], by: devices[0], log)
        try insert(first + second, into: &log)
        let told = Removals(log).withRoles
        #expect(told.count == 2 && told.count { $0.stands } == 1)
        for removal in told {
            #expect(removal.rivals == told.map(\.id).filter { $0 != removal.id })
            #expect(removal.silent == [devices[2].device])
        }
    }
}
