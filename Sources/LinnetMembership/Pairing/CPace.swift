package import LinnetCrypto

/// CPace over ristretto255 with SHA-512 (draft-irtf-cfrg-cpace-21, suite CPACE-RISTR255-SHA512), in
/// its initiator and responder setting.
package enum CPace {
    private static let generatorDomain = Array("CPaceRistretto255".utf8)
    private static let keyDomain = Array("CPaceRistretto255_ISK".utf8)
    private static let sessionOutputDomain = Array("CPaceSidOutput".utf8)
    /// Input block size of SHA-512, to which the password is padded (`s_in_bytes`).
    private static let blockBytes = 128

    /// The length of `bytes` in LEB128, then `bytes` (`prepend_len`).
    package static func prependLength(_ bytes: [UInt8]) -> [UInt8] {
        var length = bytes.count
        var result: [UInt8] = []
        while length >= 128 {
            result.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        result.append(UInt8(truncatingIfNeeded: length))
        return result + bytes
    }

    /// The parts, each after its length (`lv_cat`).
    package static func lvCat(_ parts: [UInt8]...) -> [UInt8] {
        parts.flatMap(prependLength)
    }

    /// Both shares with their associated data (`transcript_ir`).
    package static func transcript(
        initiatorShare: [UInt8], initiatorData: [UInt8],
        responderShare: [UInt8], responderData: [UInt8]
    ) -> [UInt8] {
        lvCat(initiatorShare, initiatorData) + lvCat(responderShare, responderData)
    }

    /// Returns the string that is hashed to the session's generator (`generator_string`).
    package static func generatorString(
        password: [UInt8], channel: [UInt8], session: [UInt8]
    ) -> [UInt8] {
        let used = 1 + prependLength(password).count + prependLength(generatorDomain).count
        let padding = [UInt8](repeating: 0, count: max(0, blockBytes - used))
        return lvCat(generatorDomain, password, padding, channel, session)
    }

    /// The session's generator (`calculate_generator`).
    package static func generator(
        password: [UInt8], channel: [UInt8], session: [UInt8]
    ) -> [UInt8] {
        var hasher = SHA512Hasher()
        hasher.update(generatorString(password: password, channel: channel, session: session))
        return Ristretto.element(from: hasher.finishSecret())
    }

    /// The share to send: `scalar` times the generator.
    package static func share(
        scalar: borrowing SecretBytes, generator: [UInt8]
    ) throws(MembershipError) -> [UInt8] {
        try multiply(scalar, generator).exposed()
    }

    /// The intermediate session key, 64 bytes (`ISK`); throws ``MembershipError/badShare`` when the
    /// other side's share is invalid or leads to the identity (`scalar_mult_vfy`).
    package static func sessionKey(
        scalar: borrowing SecretBytes, peerShare: [UInt8], session: [UInt8], transcript: [UInt8]
    ) throws(MembershipError) -> SecretBytes {
        let product = try multiply(scalar, peerShare)
        var hasher = SHA512Hasher()
        hasher.update(lvCat(keyDomain, session))
        hasher.update([UInt8(product.count)])
        hasher.update(product)
        hasher.update(transcript)
        return hasher.finishSecret()
    }

    /// The public name of the session, 64 bytes (`sid_output`).
    package static func sessionOutput(transcript: [UInt8]) -> [UInt8] {
        Hash.sha512(sessionOutputDomain, transcript)
    }

    private static func multiply(
        _ scalar: borrowing SecretBytes, _ point: [UInt8]
    ) throws(MembershipError) -> SecretBytes {
        do {
            return try Ristretto.multiply(scalar, point)
        } catch {
            throw .badShare
        }
    }
}
