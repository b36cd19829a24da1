import LinnetWire
import Testing

@testable import LinnetReplication

/// The rate at which a store's word begins looks.
struct MailNewsTests {
    private func moment(_ uptime: Int64) -> Moment {
        Moment(wallMilliseconds: 1_800_000_000_000 + uptime, uptimeMilliseconds: uptime)
    }

    @Test func `MailNews begins a look at once, and the next one a quarter of a second later`() {
        var news = MailNews()
        #expect(news.due(at: 5_000) == nil)
        news.heard()
        #expect(news.due(at: 5_000) == 5_000)
        news.began(at: 5_000)
        #expect(news.due(at: 5_000) == nil)
        news.ended(hasBrought: true, notBefore: 0)
        news.heard()
        news.heard()
        #expect(news.due(at: 5_100) == 5_250 && news.due(at: 9_000) == 9_000)
    }

    @Test func `a store that cries for nothing is looked into as seldom as after news`() {
        var news = MailNews()
        var now: Int64 = 1_000_000
        var looks: [Int64] = []
        for _ in 1...40 {
            news.heard()
            now = news.due(at: now) ?? .max
            looks.append(now)
            news.began(at: now)
            news.ended(hasBrought: false, notBefore: 0)
        }
        #expect(looks[9] - looks[0] == 2_250)
        #expect(looks[39] - looks[10] == 29 * 30_000)
        // One that is right is not slowed down.
        now += 300_000
        for _ in 1...40 {
            news.heard()
            let due = news.due(at: now) ?? .max
            #expect(due == now)
            news.began(at: now)
            news.ended(hasBrought: true, notBefore: 0)
            now += 1_000
        }
    }

    @Test func `PostBook looks upon news, not before a store's time, and never where it refuses`() {
        var book = PostBook()
        let id = book.add("relay+https://a:1")
        book.heardNews(of: id, at: moment(1_000))
        #expect(book.nextDeadline == nil)
        book.isRunning = true
        book.ended(id, MailRound(), random: 0, at: moment(1_000))
        #expect(book.nextDeadline ?? 0 > 100_000)
        book.heardNews(of: id, at: moment(2_000))
        #expect(book.nextDeadline == 2_000)
        // A word amid a look begins another one.
        book.began(id, at: moment(2_000))
        book.heardNews(of: id, at: moment(2_100))
        book.ended(id, MailRound(), random: 0, at: moment(2_200))
        #expect(book.nextDeadline == 2_250)
        book.began(id, at: moment(3_000))
        var round = MailRound()
        (round.failure, round.pause) = ("503", .atLeast(milliseconds: 400_000))
        book.ended(id, round, random: 0, at: moment(3_000))
        book.heardNews(of: id, at: moment(4_000))
        #expect(book.nextDeadline == 403_000)
        round.pause = .stopped
        book.ended(id, round, random: 0, at: moment(5_000))
        book.heardNews(of: id, at: moment(6_000))
        #expect(book.nextDeadline == nil)
        book.setAccess([1], of: id)
        #expect(book.dueNow(at: moment(6_000)) == [id])
        // Of a mailbox that is gone nothing is heard.
        book.remove(id)
        book.heardNews(of: id, at: moment(7_000))
        #expect(book.nextDeadline == nil)
    }
}
