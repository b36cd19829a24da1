import Linnet
import LinnetDiscovery
import LinnetWire
import Testing

private func source(_ text: String) throws -> AdmissionControl.Source {
    AdmissionControl.Source(try #require(IPAddress(text)))
}

private func moment(_ milliseconds: Int64) -> Moment {
    Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
}

struct AdmissionControlTests {
    @Test func `one source gets four places and no fifth`() throws {
        var control = AdmissionControl()
        let attacker = try source("127.0.0.2")
        for _ in 0..<Limits.unauthenticatedLinksPerSource {
            #expect(control.admit(attacker, at: moment(0)) == nil)
        }
        #expect(control.admit(attacker, at: moment(0)) == .sourceFull)
        #expect(control.admit(try source("127.0.0.1"), at: moment(0)) == nil)
    }

    @Test func `all sources together get sixteen places`() throws {
        var control = AdmissionControl()
        for host in 1...Limits.unauthenticatedLinks {
            #expect(control.admit(try source("10.0.0.\(host)"), at: moment(0)) == nil)
        }
        #expect(control.admit(try source("10.0.0.99"), at: moment(0)) == .full)
        control.failed(try source("10.0.0.1"), at: moment(1))
        #expect(control.admit(try source("10.0.0.99"), at: moment(2)) == nil)
        #expect(control.unauthenticated == Limits.unauthenticatedLinks)
    }

    @Test func `a full house tells a silenced source and a greedy one apart`() throws {
        var control = AdmissionControl()
        let silenced = try source("10.0.1.1")
        for _ in 0..<21 {
            #expect(control.admit(silenced, at: moment(0)) == nil)
            control.failed(silenced, at: moment(0))
        }
        for number in 0..<16 {
            #expect(control.admit(try source("10.0.0.\(number / 4)"), at: moment(0)) == nil)
        }
        #expect(control.admit(silenced, at: moment(1)) == .silenced)
        #expect(control.admit(try source("10.0.0.1"), at: moment(1)) == .sourceFull)
        #expect(control.admit(try source("10.0.0.99"), at: moment(1)) == .full)
    }

    @Test func `addresses of one IPv6 network share their places`() throws {
        var control = AdmissionControl()
        for host in 1...4 {
            #expect(control.admit(try source("2001:db8:0:1::\(host)"), at: moment(0)) == nil)
        }
        #expect(control.admit(try source("2001:db8:0:1:ffff::5"), at: moment(0)) == .sourceFull)
        #expect(control.admit(try source("2001:db8:0:2::1"), at: moment(0)) == nil)
    }

    @Test func `twenty quick failures are forgiven and the next brings a minute of silence`() throws
    {
        var control = AdmissionControl()
        let attacker = try source("127.0.0.2")
        for _ in 0...Limits.handshakeBurstPerSource {
            #expect(control.admit(attacker, at: moment(5)) == nil)
            control.failed(attacker, at: moment(5))
        }
        let end = 5 + Limits.handshakeSilenceMilliseconds
        #expect(control.admit(attacker, at: moment(6)) == .silenced)
        #expect(control.admit(attacker, at: moment(end - 1)) == .silenced)
        #expect(control.admit(try source("127.0.0.1"), at: moment(6)) == nil)
        #expect(control.admit(attacker, at: moment(end)) == nil)
    }

    @Test func `ten failures a second are borne for ever`() throws {
        var control = AdmissionControl()
        let pause = 1_000 / Int64(Limits.handshakesPerSecondPerSource)
        let (clumsy, hasty) = (try source("127.0.0.2"), try source("127.0.0.3"))
        var silenced: Int?
        for number in 0..<1000 {
            let now = moment(Int64(number) * pause)
            #expect(control.admit(clumsy, at: now) == nil)
            control.failed(clumsy, at: now)
            // One that fails a tenth more often gets through its burst, and is silenced then.
            let sooner = moment(Int64(number) * pause * 9 / 10)
            if control.admit(hasty, at: sooner) == nil {
                control.failed(hasty, at: sooner)
            } else {
                silenced = silenced ?? number
            }
        }
        #expect(try #require(silenced) > Limits.handshakeBurstPerSource)
    }

    @Test func `links that authenticate are never counted against their source`() throws {
        var control = AdmissionControl()
        let busy = try source("127.0.0.1")
        for _ in 0..<1000 {
            #expect(control.admit(busy, at: moment(0)) == nil)
            control.authenticated(busy, at: moment(0))
        }
        #expect(control.unauthenticated == 0)
    }

    @Test func `a refused link costs its source nothing`() throws {
        var control = AdmissionControl()
        let attacker = try source("127.0.0.2")
        for _ in 0..<4 { _ = control.admit(attacker, at: moment(0)) }
        for _ in 0..<1000 { #expect(control.admit(attacker, at: moment(0)) == .sourceFull) }
        control.authenticated(attacker, at: moment(1))
        #expect(control.admit(attacker, at: moment(1)) == nil)
    }

    @Test func `a flood from many addresses is remembered in bounded memory`() throws {
        var control = AdmissionControl()
        let holder = try source("192.0.2.1")
        #expect(control.admit(holder, at: moment(0)) == nil)
        for number in 0..<5000 {
            let flood = try source("10.1.\(number / 250).\(number % 250)")
            let now = moment(Int64(number))
            #expect(control.admit(flood, at: now) == nil)
            control.failed(flood, at: now)
        }
        #expect(control.sourceCount <= 1025)
        control.authenticated(holder, at: moment(5001))
        #expect(control.unauthenticated == 0)
    }

    @Test func `a clock that steps back gives no failures for free`() throws {
        var control = AdmissionControl()
        let attacker = try source("127.0.0.2")
        for number in 0..<21 {
            let now = moment(Int64(1000 - number))
            #expect(control.admit(attacker, at: now) == nil)
            control.failed(attacker, at: now)
        }
        #expect(control.admit(attacker, at: moment(980)) == .silenced)
    }
}
