import Linnet
import LinnetCLI
import Testing

/// Nodes whose disk fills up while they run, and commands that write on a full one.
@Suite(.serialized, .timeLimit(.minutes(15)), .enabled(if: PrivateDisk.isPossible))
struct DiskOutageTests {
    private let device: TestDevice

    init() throws { device = TestDevice() }

    /// A laptop with room and a phone on the small disk, which runs and holds the same; `await`
    /// waits for a command that says what it is to say.
    private static let pair = """
        await() { n=0; until "$@" >/dev/null 2>&1; do n=$((n+1)); [ $n -lt 600 ]; sleep 0.1; done; }
        says() { want=$1; shift; "$L" "$@" | grep -q -- "$want"; }
        A=$D/laptop; H=$D/disk/phone
        "$L" init --name Laptop --kind laptop --schema $D/schema.json --home $A >/dev/null
        "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $A >$D/laptop.out 2>&1 & LP=$!
        await grep -q ready $D/laptop.out
        PEER=127.0.0.1:$(sed -n 's/.*"ready","port":\\([0-9]*\\).*/\\1/p' $D/laptop.out | head -1)
        "$L" pair --json --yes --no-discovery --home $A >$D/pair.out 2>&1 & PP=$!
        await grep -q '"code"' $D/pair.out
        CODE=$(sed -n 's/.*"code":"\\([^"]*\\)".*/\\1/p' $D/pair.out | head -1)
        "$L" join --name Phone --kind phone --code $CODE --peer $PEER --home $H >/dev/null 2>&1
        wait $PP
        "$L" run --json --no-discovery --listen 127.0.0.1:0 --peer $PEER --home $H \\
          >$D/phone.out 2>$D/phone.err & PH=$!
        await grep -q in-step $D/phone.out
        "$L" set note/x title=Tea --home $A >/dev/null
        await says Tea get note/x --home $H
        """

    @Test func `a node that receives on a full disk reads on, and goes on when there is room`()
        throws
    {
        let outcomes = try PrivateDisk.steps(
            """
            \(Self.pair)
            step mine set note/phone title=Mine
            fill
            head -c 300000 /dev/urandom | od -An -tx1 | tr -d ' \\n' >$D/long
            "$L" edit note/x body --file $D/long --home $A >/dev/null
            await grep -q notWriting $D/phone.out
            step get get note/x
            step status status
            step refused set note/x title=Coffee
            step synced sync --timeout 5
            "$L" set note/late title=Late --home $A >/dev/null
            rm $D/disk/filler
            await grep -q warning-ended $D/phone.out
            await says Late get note/late --home $H
            step later set note/x title=Coffee
            await says Coffee get note/x --home $A
            step kept get note/phone
            step calm status
            await says "$("$L" digest --home $A | head -1)" digest --home $H
            kill -INT $PH; step0=0; wait $PH || step0=$?; echo ended $step0
            touch $D/ended.out $D/ended.err
            kill -INT $LP; wait $LP || true
            """, device)
        #expect(outcomes["get"]?.output.contains("Tea") == true)
        #expect(outcomes["status"]?.output.contains("is full") == true)
        for name in ["refused", "synced"] {
            #expect(outcomes[name]?.code == 1)
            #expect(outcomes[name]?.error.contains("is full") == true, "\(name)")
        }
        for name in ["mine", "later", "kept", "calm", "ended"] {
            #expect(outcomes[name]?.code == 0, "\(name): \(outcomes[name]?.error ?? "")")
        }
        #expect(outcomes["kept"]?.output.contains("Mine") == true)
        #expect(outcomes["calm"]?.output.contains("is full") == false)
    }

    @Test func `whatever writes on a full disk is refused with the reason, and changes nothing`()
        throws
    {
        let writers = [
            "set": "set note/x title=Coffee", "edit": "edit note/x body --file $D/long",
            "delete": "delete note/x", "undelete": "undelete note/gone",
            "rename": "rename Other", "sync": "sync --peer 127.0.0.1:9 --timeout 1",
            "pair": "pair --yes --no-discovery --listen 127.0.0.1:0",
            "running": "run --no-discovery --listen 127.0.0.1:0",
            "passphrase": "passphrase set --new-passphrase-file $D/secret",
            "schema": "schema set $D/newer.json", "known": "doctor --acknowledge",
        ]
        let doses = [
            "take": "med take Metformin --additional",
            "add": "med add Ibuprofen --amount 400 --unit mg --times 08:00",
        ]
        func steps(_ commands: [String: String]) -> String {
            commands.sorted { $0.key < $1.key }.map { "step \($0.key) \($0.value)" }
                .joined(separator: "\n")
        }
        _ = try device.write("secret", "a long passphrase of many words\n")
        _ = try device.write(
            "newer.json",
            KindCommandTests.schema.replacing(#""version": 1"#, with: #""version": 2"#))
        let outcomes = try PrivateDisk.steps(
            """
            chmod 600 $D/secret
            head -c 40000 /dev/zero | tr '\\0' 'x' >$D/long
            step gone set note/gone title=Gone
            step went delete note/gone
            step before digest
            H=$D/disk/med
            step founded init --name Phone --kind phone
            step medicine med add Metformin --amount 500 --unit mg --times 08:00
            step held digest
            fill
            \(steps(doses))
            step still digest
            H=$D/disk/home
            \(steps(writers))
            H=$D/disk/new
            step founding init --name Tablet --kind other
            test ! -e $D/disk/new/key
            H=$D/disk/other
            step joining join --name Tablet --kind other --code 123456 --peer 127.0.0.1:9
            test ! -e $D/disk/other/key
            H=$D/disk/home
            rm $D/disk/filler
            step after digest
            step later set note/x title=Coffee
            """, device)
        for name in writers.keys.sorted() + doses.keys.sorted() + ["founding", "joining"] {
            #expect(outcomes[name]?.code == 1, "\(name)")
            let error = outcomes[name]?.error ?? "did not run"
            #expect(error.contains("full") || error.contains("No space"), "\(name): \(error)")
        }
        #expect(outcomes["before"]?.output == outcomes["after"]?.output)
        #expect(outcomes["held"]?.output == outcomes["still"]?.output)
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
    }
}
