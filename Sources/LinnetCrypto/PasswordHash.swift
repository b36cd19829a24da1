import CArgon2

/// Keys from passphrases: Argon2id version 1.3 (RFC 9106).
package enum PasswordHash {
    /// The costs of one hash; outside the accepted range nothing is allocated.
    package struct Cost: Equatable, Sendable {
        /// Memory in KiB, at least 8 for each lane, at most 1 GiB.
        package var memoryKiB: UInt32
        /// Passes over the memory, 1...10.
        package var passes: UInt32
        /// Lanes, 1...16.
        package var lanes: UInt32

        /// 64 MiB, three passes, four lanes.
        package static let standard = Cost(memoryKiB: 65_536, passes: 3, lanes: 4)

        /// Any costs; they are checked when used.
        package init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }

        /// True for costs within the ranges of the properties.
        package var isAccepted: Bool {
            (1...16).contains(lanes) && (1...10).contains(passes)
                && (8 * lanes...1_048_576).contains(memoryKiB)
        }
    }

    /// `count` bytes (16...64) from a password and a salt of 16...64 bytes.
    ///
    /// Throws ``CryptoError/badParameters`` for refused costs, salts or counts, and
    /// ``CryptoError/outOfMemory`` when the machine cannot give the memory.
    package static func argon2id(
        password: borrowing SecretBytes, salt: [UInt8], cost: Cost, count: Int
    ) throws(CryptoError) -> SecretBytes {
        guard cost.isAccepted, (16...64).contains(salt.count), (16...64).contains(count) else {
            throw .badParameters
        }
        var status: CInt = 0
        let passwordCount = password.count
        let hash = unsafe password.withPointer { password in
            unsafe SecretBytes(count: count) { target in
                status = unsafe argon2id_hash_raw(
                    cost.passes, cost.memoryKiB, cost.lanes,
                    password, passwordCount, salt, salt.count,
                    target, count)
            }
        }
        guard status == ARGON2_OK.rawValue else {
            throw status == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue ? .outOfMemory : .badParameters
        }
        return hash
    }
}
