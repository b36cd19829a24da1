import Linnet
import LinnetCLI
import Testing

/// Homes on a disk that is full, or mounted for reading alone: what is there is read, what is
/// refused says why, and nothing is lost.
@Suite(.serialized, .timeLimit(.minutes(15)), .enabled(if: PrivateDisk.isPossible))
struct DiskTests {
    private let device: TestDevice

    init() throws { device = TestDevice() }

    private func run(_ lines: String) throws -> [String: TestDevice.Outcome] {
        try PrivateDisk.steps(lines, device)
    }

    private static let reading = """
        step get get note/x
        step list list note
        step query query note --where "title = Tea"
        step export export $D/export.jsonl --collection note
        step status status
        step digest digest
        step history history note/x
        step why why note/x title
        """

    private func expectRead(_ outcomes: [String: TestDevice.Outcome]) {
        for name in ["get", "list", "query", "export", "status", "digest", "history", "why"] {
            let outcome = outcomes[name]
            #expect(outcome?.code == 0, "\(name): \(outcome?.error ?? "did not run")")
        }
        for name in ["get", "list", "query"] {
            #expect(outcomes[name]?.output.contains("Tea") == true, "\(name)")
        }
        #expect(device.read("\(device.directory)/export.jsonl").contains("Hello"))
    }

    private func expectRefused(_ outcome: TestDevice.Outcome?, _ text: String) {
        #expect(outcome?.code == 1)
        #expect(outcome?.error.contains(text) == true, "\(outcome?.error ?? "did not run")")
        #expect(outcome?.output.isEmpty == true)
    }

    @Test func `a home on a full disk is read, and takes writes again once there is room`() throws {
        let outcomes = try run(
            """
            fill
            \(Self.reading)
            step refused set note/x title=Coffee
            step unmoved get note/x
            rm $D/disk/filler
            step later set note/x title=Coffee
            step changed get note/x
            """)
        expectRead(outcomes)
        expectRefused(outcomes["refused"], "is full")
        #expect(outcomes["unmoved"]?.output.contains("Tea") == true)
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
        #expect(outcomes["changed"]?.output.contains("Coffee") == true)
    }

    @Test func `a home on a disk that is mounted for reading is read`() throws {
        let outcomes = try run(
            """
            mount -o remount,ro $D/disk
            \(Self.reading)
            step refused set note/x title=Coffee
            step running run --no-discovery --listen 127.0.0.1:0
            mount -o remount,rw $D/disk
            step later set note/x title=Coffee
            step changed get note/x
            """)
        expectRead(outcomes)
        expectRefused(outcomes["refused"], "mounted for reading only")
        expectRefused(outcomes["running"], "mounted for reading only")
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
        #expect(outcomes["changed"]?.output.contains("Coffee") == true)
    }

    @Test func `the views of the medicines, and doctor, read on a full disk`() throws {
        let views = ["list", "today", "history", "adherence", "alerts"]
        let outcomes = try run(
            """
            H=$D/disk/med
            step founded init --name Phone --kind phone
            step added med add Metformin --amount 500 --unit mg --times 08:00,20:00 --stock 30
            fill
            \(views.map { "step \($0) med \($0)" }.joined(separator: "\n"))
            step doctor doctor
            step taken med take Metformin --additional
            step listed list medication
            """)
        #expect(outcomes["added"]?.code == 0, "\(outcomes["added"]?.error ?? "")")
        for name in views {
            #expect(outcomes[name]?.code == 0, "\(name): \(outcomes[name]?.error ?? "did not run")")
        }
        #expect(outcomes["list"]?.output.contains("Metformin") == true)
        #expect(outcomes["listed"]?.output.contains("Metformin") == true)
        #expect(outcomes["doctor"]?.output.contains("is full") == true)
        expectRefused(outcomes["taken"], "is full")
    }

    @Test func `what a killed process left in the log is read on a full disk too`() throws {
        let outcomes = try run(
            """
            "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $H >$D/node.out 2>&1 &
            while ! grep -q ready $D/node.out; do sleep 0.1; done
            step second set note/y title=Tea
            kill -9 $!; wait $! || true
            fill
            \(Self.reading)
            step left get note/y
            """)
        expectRead(outcomes)
        #expect(outcomes["left"]?.output.contains("Tea") == true)
    }

    @Test func `a running node reads on when the disk fills up`() throws {
        let outcomes = try run(
            """
            "$L" run --json --no-discovery --listen 127.0.0.1:0 --home $H >$D/node.out 2>&1 &
            while ! grep -q ready $D/node.out; do sleep 0.1; done
            fill
            \(Self.reading)
            head -c 300000 /dev/zero | tr '\\0' 'x' >$D/long
            step refused edit note/x body --file $D/long
            step unmoved get note/x
            rm $D/disk/filler
            step later set note/x title=Coffee
            kill -INT $!; wait $! || true
            if grep -q "disk is full" $D/node.out; then exit 9; fi
            """)
        expectRead(outcomes)
        expectRefused(outcomes["refused"], "is full")
        #expect(outcomes["unmoved"]?.output.contains("Tea") == true)
        #expect(outcomes["later"]?.code == 0, "\(outcomes["later"]?.error ?? "")")
    }

    /// A node that was locked before something happens to its disk.
    private static func locked(_ happening: String) -> String {
        """
        printf 'seven words\\n' >$D/p; chmod 600 $D/p
        H=$D/disk/locked
        step made init --name A --kind laptop --schema $D/schema.json --passphrase-file $D/p
        "$L" run --json --no-discovery --listen 127.0.0.1:0 --passphrase-file $D/p --home $H \
          >$D/node.out 2>&1 &
        while ! grep -q ready $D/node.out; do sleep 0.1; done
        step written set note/x title=Tea tags+=a body=Hello
        step locked lock
        \(happening)
        step unlocked unlock --passphrase-file $D/p
        \(reading)
        head -c 300000 /dev/zero | tr '\\0' 'x' >$D/long
        step refused edit note/x body --file $D/long
        """
    }

    /// A person who makes room is not made to wait for long.
    private static let written = """
        until "$L" set note/x title=Coffee --home $H >/dev/null 2>&1; do sleep 0.3; done
        step changed get note/x
        kill -INT $!; wait $! || true
        """

    private func expectUnlockedToRead(_ outcomes: [String: TestDevice.Outcome]) {
        #expect(outcomes["unlocked"]?.code == 0, "\(outcomes["unlocked"]?.error ?? "")")
        #expect(outcomes["unlocked"]?.output.contains("for reading only") == true)
        #expect(outcomes["unlocked"]?.error.contains("is full") == true)
        expectRead(outcomes)
        expectRefused(outcomes["refused"], "is full")
        #expect(outcomes["doctor"]?.output.contains("is full") == true)
        #expect(outcomes["changed"]?.output.contains("Coffee") == true)
    }

    @Test func `a locked node is unlocked on a full disk, and writes once there is room`() throws {
        expectUnlockedToRead(
            try run(
                Self.locked("fill") + "\nstep doctor doctor\nrm $D/disk/filler\n" + Self.written))
    }

    @Test func `a locked node is unlocked where not even a log can be made`() throws {
        // As many files as there are now, and no more.
        let full = "mount -o remount,nr_inodes=$(($(df --output=iused $D/disk | tail -1))) $D/disk"
        expectUnlockedToRead(
            try run(
                Self.locked(full)
                    + "\nstep doctor doctor\nmount -o remount,nr_inodes=10000 $D/disk\n"
                    + Self.written))
    }
}
