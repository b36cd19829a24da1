import Linnet
import LinnetCLI
import Testing

/// Disks that fail when something is to be made durable: `fsync` and `fdatasync` of the files of a
/// home answer with an input/output error, in commands and in nodes that serve.
@Suite(.serialized, .timeLimit(.minutes(15)), .enabled(if: FailingDisk.isPossible))
struct FailedSyncTests {
    private let device: TestDevice

    init() throws { device = TestDevice() }

    private func expectReason(_ outcome: TestDevice.Outcome?, _ name: String) {
        #expect(outcome?.code == 1, "\(name)")
        let error = outcome?.error ?? "did not run"
        #expect(error.contains("Input/output error"), "\(name): \(error)")
        #expect(!error.contains("nothing was changed"), "\(name): \(error)")
        #expect(outcome?.output.isEmpty == true, "\(name)")
    }

    @Test func `a command whose change cannot be made durable says so, and others read on`() throws
    {
        let outcomes = try FailingDisk.steps(
            """
            refuse
            step refused set note/x title=Coffee
            step get get note/x
            step list list note
            step status status
            step doctor doctor
            step running run --no-discovery --listen 127.0.0.1:0
            heal
            step unmoved get note/x
            step later set note/x title=Coffee
            step changed get note/x
            """, device)
        expectReason(outcomes["refused"], "set")
        expectReason(outcomes["running"], "run")
        for name in ["get", "list", "unmoved"] {
            #expect(outcomes[name]?.code == 0, "\(name): \(outcomes[name]?.error ?? "")")
            #expect(outcomes[name]?.output.contains("Tea") == true, "\(name)")
        }
        #expect(outcomes["status"]?.code == 0)
        #expect(outcomes["doctor"]?.output.contains("Input/output error") == true)
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
        #expect(outcomes["changed"]?.output.contains("Coffee") == true)
    }

    @Test func `a node whose disk fails reads on, refuses writes, and says when it is over`() throws
    {
        let outcomes = try FailingDisk.steps(
            """
            "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $H >$D/node.out 2>&1 & N=$!
            await grep -q ready $D/node.out
            step before set note/y title=Kept
            refuse
            step refused set note/z title=Doubtful
            step again set note/z title=Doubtful
            step get get note/y
            step status status
            step doctor doctor
            await grep -q notWriting $D/node.out
            heal
            await grep -q warning-ended $D/node.out
            step calm status
            step later set note/y title=Later
            step kept get note/y
            kill -INT $N; code=0; wait $N || code=$?; echo ended $code
            step after get note/x
            """, device)
        for name in ["refused", "again"] { expectReason(outcomes[name], name) }
        for name in ["before", "get", "calm", "later", "kept", "ended", "after"] {
            #expect(outcomes[name]?.code == 0, "\(name): \(outcomes[name]?.error ?? "did not run")")
        }
        #expect(outcomes["get"]?.output.contains("Kept") == true)
        #expect(outcomes["status"]?.output.contains("Input/output error") == true)
        #expect(outcomes["doctor"]?.output.contains("Input/output error") == true)
        #expect(outcomes["calm"]?.output.contains("Input/output error") == false)
        #expect(outcomes["kept"]?.output.contains("Later") == true)
        #expect(outcomes["after"]?.output.contains("Tea") == true)
    }

    /// After a failed sync the system may keep nothing of what was written since the one before.
    @Test func `no write that was acknowledged is lost when the power goes after a failed sync`()
        throws
    {
        let outcomes = try FailingDisk.steps(
            """
            serve() { "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $H \\
                >$D/node.out 2>&1 & N=$!
              await grep -q ready $D/node.out; }
            : >$D/acknowledged
            put() { if "$L" set note/$1 title=Number$1 --home $H >/dev/null 2>&1
              then echo $1 >>$D/acknowledged; fi; }
            serve
            for number in 1 2 3 4 5; do put $number; done
            refuse
            for number in 6 7; do put $number; done
            heal
            await "$L" set note/room title=Room --home $H
            for number in 8 9 10; do put $number; done
            refuse
            for number in 11 12; do put $number; done
            cut $N
            heal
            serve
            for number in $(cat $D/acknowledged); do
              "$L" get note/$number --home $H | grep -q "Number$number" || echo lost$number 1
            done
            step room get note/room
            step check doctor --deep
            for number in 11 12 13; do put $number; done
            echo count $(wc -l <$D/acknowledged)
            kill -INT $N; code=0; wait $N || code=$?; echo ended $code
            """, device)
        #expect(outcomes.keys.filter { $0.hasPrefix("lost") }.isEmpty)
        // Five, three and three; the others may have been taken back.
        #expect((outcomes["count"]?.code ?? 0) >= 11)
        for name in ["room", "ended"] {
            #expect(outcomes[name]?.code == 0, "\(name): \(outcomes[name]?.error ?? "did not run")")
        }
        #expect(outcomes["check"]?.output.contains("damaged") == false)
    }

    @Test func `what comes from another device is not acknowledged before it is durable`() throws {
        let outcomes = try FailingDisk.steps(
            """
            H=$D/disk/phone; A=$D/laptop
            "$L" init --name Laptop --kind laptop --schema $D/schema.json --home $A >/dev/null
            laptop() { "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $A \\
                >$D/laptop.out 2>&1 & LP=$!
              await grep -q ready $D/laptop.out
              PEER=127.0.0.1:$(sed -n 's/.*"ready","port":\\([0-9]*\\).*/\\1/p' $D/laptop.out); }
            phone() { "$L" run --json --no-discovery --listen 127.0.0.1:0 --peer $PEER --home $H \\
                >$D/phone.out 2>&1 & PH=$!
              await grep -q in-step $D/phone.out; }
            laptop
            "$L" pair --json --yes --no-discovery --home $A >$D/pair.out 2>&1 & PP=$!
            await grep -q '"code"' $D/pair.out
            CODE=$(sed -n 's/.*"code":"\\([^"]*\\)".*/\\1/p' $D/pair.out | head -1)
            "$L" join --name Phone --kind phone --code $CODE --peer $PEER --home $H >/dev/null 2>&1
            wait $PP
            phone
            refuse
            "$L" set note/x title=Sent --home $A >/dev/null
            await grep -q notWriting $D/phone.out
            cut $PH
            heal
            phone
            await says Sent get note/x --home $H
            step got get note/x
            await says "$("$L" digest --home $A | head -1)" digest --home $H
            for process in $PH $LP; do kill -INT $process; wait $process || true; done
            """, device)
        #expect(outcomes["got"]?.output.contains("Sent") == true)
    }

    @Test func `other commands on a disk that fails tell the reason, and leave what was there`()
        throws
    {
        let commands = [
            "passphrase": "passphrase set --new-passphrase-file $D/secret",
            "backup": "backup $D/disk/backup", "export": "export $D/disk/out.csv --collection note",
            "rename": "rename Other", "delete": "delete note/x", "sync": "sync --timeout 1",
            "schema": "schema set $D/newer.json",
        ]
        _ = try device.write("secret", "a long passphrase of many words\n")
        _ = try device.write(
            "newer.json",
            KindCommandTests.schema.replacing(#""version": 1"#, with: #""version": 2"#))
        let outcomes = try FailingDisk.steps(
            """
            chmod 600 $D/secret
            refuse
            \(commands.sorted { $0.key < $1.key }.map { "step \($0.key) \($0.value)" }
                .joined(separator: "\n"))
            H=$D/disk/new
            step founding init --name Other --kind other
            H=$D/disk/newer
            step joining join --name T --kind other --code 123456 --peer 127.0.0.1:9
            H=$D/disk/home
            heal
            test ! -e $D/disk/new/key; test ! -e $D/disk/newer/key
            test ! -e $D/disk/backup; test ! -e $D/disk/out.csv
            step get get note/x
            step later set note/x title=Later
            refuse_directories
            step doubtful passphrase set --new-passphrase-file $D/secret
            heal
            step open get note/x --passphrase-file $D/secret
            """, device)
        for name in commands.keys.sorted() + ["founding", "joining"] {
            let outcome = outcomes[name]
            #expect(outcome?.code == 1, "\(name)")
            let error = outcome?.error ?? "did not run"
            #expect(error.contains("Input/output error"), "\(name): \(error)")
        }
        #expect(outcomes["get"]?.output.contains("Tea") == true)
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
        // The first copy of the key file has its new name already.
        expectReason(outcomes["doubtful"], "passphrase")
        #expect(outcomes["open"]?.output.contains("Later") == true)
    }
}
