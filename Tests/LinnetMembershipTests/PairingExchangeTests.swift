import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct PairingExchangeTests {
    private static let prefaces = [UInt8(1), 2].map { nonce in
        Array("LNT1".utf8) + [1, 1, 1, 0] + [UInt8](repeating: nonce, count: 16)
    }

    private static func exchange(
        _ side: PairingSide, _ code: String, prefaces: [[UInt8]] = prefaces, seed: UInt64? = nil
    ) throws -> PairingExchange {
        var entropy = entropy(seed ?? UInt64(side.rawValue))
        return try PairingExchange(
            side: side, code: PairingCode(parsing: code), initiatorPreface: prefaces[0],
            responderPreface: prefaces[1], entropy: &entropy)
    }

    /// Both pre-shared keys and both views of the shares.
    private static func run(
        _ typed: String, _ shown: String, typerPrefaces: [[UInt8]] = prefaces
    ) throws -> (psks: [[UInt8]], shares: [[UInt8]]) {
        let typer = try exchange(.typer, typed, prefaces: typerPrefaces)
        let shower = try exchange(.shower, shown)
        let (typerShare, showerShare) = (typer.share, shower.share)
        let first = try typer.finish(with: showerShare)
        let second = try shower.finish(with: typerShare)
        #expect(first.shares == typerShare + showerShare)
        return ([first.psk, second.psk].map { $0.bytes.exposed() }, [first.shares, second.shares])
    }

    @Test func `one code yields one key on both sides`() throws {
        let (psks, shares) = try Self.run("123456", "123 456")
        #expect(psks[0] == psks[1])
        #expect(shares[0] == shares[1])
        #expect(psks[0].count == 32)
    }

    @Test func `another code yields another key`() throws {
        for code in ["123457", "000000", "654321"] {
            let (psks, _) = try Self.run(code, "123456")
            #expect(psks[0] != psks[1])
        }
    }

    @Test func `both codes and both prefaces are bound`() throws {
        for index in 0..<48 {
            var changed = Self.prefaces
            changed[index / 24][index % 24] ^= 1
            let (psks, _) = try Self.run("123456", "123456", typerPrefaces: changed)
            #expect(psks[0] != psks[1])
        }
    }

    @Test func `the sides are not interchangeable`() throws {
        let first = try Self.exchange(.typer, "123456", seed: 1)
        let second = try Self.exchange(.typer, "123456", seed: 2)
        let (firstShare, secondShare) = (first.share, second.share)
        let firstPSK = try first.finish(with: secondShare).psk.bytes.exposed()
        #expect(firstPSK != (try second.finish(with: firstShare).psk.bytes.exposed()))
    }

    @Test func `the key follows from the vectors' functions as the protocol says`() throws {
        let shower = try Self.exchange(.shower, "123456")
        var entropy = entropy(5)
        let scalar = Ristretto.scalar(reducing: entropy.secret(64))
        let session = Array(Self.prefaces[0][8...] + Self.prefaces[1][8...])
        let (typerName, showerName) = (Array("typer".utf8), Array("shower".utf8))
        let channel = CPace.lvCat(
            Array("linnet/pair/1".utf8), typerName, showerName, Self.prefaces[0], Self.prefaces[1])
        let share = try CPace.share(
            scalar: scalar,
            generator: CPace.generator(
                password: Array("123456".utf8), channel: channel, session: session))
        let transcript = CPace.lvCat(share, typerName, shower.share, showerName)
        let key = try CPace.sessionKey(
            scalar: scalar, peerShare: shower.share, session: session, transcript: transcript)
        let label = Array("linnet/pair/psk/1".utf8)
        let expected = Hash.keyed(
            by: key, nil, label, Hash.sha512(Array("CPaceSidOutput".utf8), transcript))
        #expect(try shower.finish(with: share).psk.bytes.exposed() == expected)
    }

    @Test func `a reflected share or nonce is refused`() throws {
        let typer = try Self.exchange(.typer, "123456")
        let own = typer.share
        var error: MembershipError?
        do { _ = try typer.finish(with: own) } catch let thrown { error = thrown }
        #expect(error == .reflected)
        let same = [Self.prefaces[0], Self.prefaces[0]]
        #expect(throws: MembershipError.reflected) {
            _ = try Self.exchange(.typer, "123456", prefaces: same).share
        }
    }

    @Test func `shares of wrong form abort`() throws {
        for share in [
            [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32),
            [UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33), [],
        ] {
            let shower = try Self.exchange(.shower, "123456")
            var error: MembershipError?
            do { _ = try shower.finish(with: share) } catch let thrown { error = thrown }
            #expect(error == .badShare)
        }
        #expect(throws: MembershipError.malformed(.badLength)) {
            _ = try Self.exchange(.typer, "123456", prefaces: [[1], [2]]).share
        }
    }

    @Test func `one who answers with a guess of his own learns from each side one guess only`()
        throws
    {
        let victim = try Self.exchange(.typer, "123456")
        let guess = try Self.exchange(.shower, "999999")
        let (victimShare, guessShare) = (victim.share, guess.share)
        let psk = try victim.finish(with: guessShare).psk.bytes.exposed()
        #expect(psk != (try guess.finish(with: victimShare).psk.bytes.exposed()))
    }
}
