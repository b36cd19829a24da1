import LinnetCLI

/// Shell scripts whose commands run on a disk that refuses to make anything durable while it is
/// asked to: the calls of the C library are replaced by a library that is loaded before it.
enum FailingDisk {
    /// True when this machine has a C compiler, and loads what it makes.
    static let isPossible: Bool = {
        let device = TestDevice()
        guard let script = try? device.write("try", prelude(device) + "\nrefuse; sync $D/disk\n")
        else { return false }
        // The last command fails, and nothing before it.
        return (try? PrivateDisk.run(script, device).code) == 1
    }()

    /// Runs commands of a home on the failing disk; returns what each of them came to.
    static func steps(
        _ lines: String, _ device: TestDevice
    ) throws -> [String: TestDevice.Outcome] {
        _ = try device.write("schema.json", KindCommandTests.schema)
        return try PrivateDisk.outcomes(
            """
            \(prelude(device))
            step init init --name Laptop --kind laptop --schema $D/schema.json
            step first set note/x title=Tea tags+=a body=Hello
            \(lines)
            """, device)
    }

    /// `refuse` and `heal` say what the disk does; `cut` takes the power from a process: of each
    /// file of the home there is left what was last made durable.
    private static func prelude(_ device: TestDevice) -> String {
        """
        D=\(device.directory); L=\(TestDevice.program); H=$D/disk/home
        mkdir $D/disk $D/durable
        cat >$D/sync.c <<'END'
        \(library)
        END
        cc -shared -fPIC -o $D/sync.so $D/sync.c
        export LD_PRELOAD=$D/sync.so FAILING_DISK=$D/disk DURABLE=$D/durable
        refuse() { : >$D/disk.refuse; }
        refuse_directories() { : >$D/disk.refuse-directories; }
        heal() { rm -f $D/disk.refuse $D/disk.refuse-directories; }
        cut() { kill -9 $1; wait $1 || true; rm -f $H/store.sqlite-shm
          for file in store.sqlite store.sqlite-wal; do cat $D/durable/$file >$H/$file; done; }
        await() { n=0; until "$@" >/dev/null 2>&1; do n=$((n+1)); [ $n -lt 600 ]; sleep 0.1; done; }
        says() { want=$1; shift; "$L" "$@" | grep -q -- "$want"; }
        step() { name=$1; shift; code=0
          "$L" "$@" --home $H >$D/$name.out 2>$D/$name.err || code=$?; echo $name $code; }
        """
    }

    private static let library = #"""
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static int flagged(const char *disk, const char *flag) {
            char path[4096];
            snprintf(path, sizeof path, "%s.%s", disk, flag);
            return access(path, F_OK) == 0;
        }

        static void keep(const char *path, const char *durable) {
            char part[4096], whole[4096], bytes[65536];
            const char *name = strrchr(path, '/');
            snprintf(part, sizeof part, "%s%s.%d", durable, name, (int)getpid());
            snprintf(whole, sizeof whole, "%s%s", durable, name);
            int from = open(path, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            ssize_t count;
            while (from >= 0 && to >= 0 && (count = read(from, bytes, sizeof bytes)) > 0)
                if (write(to, bytes, count) != count) abort();
            if (from >= 0) close(from);
            if (to >= 0) close(to);
            rename(part, whole);
        }

        static int synced(int file, long call) {
            const char *disk = getenv("FAILING_DISK");
            char link[64], path[4096];
            struct stat status;
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t count = readlink(link, path, sizeof path - 1);
            path[count < 0 ? 0 : count] = 0;
            if (disk && !strncmp(path, disk, strlen(disk)) && fstat(file, &status) == 0) {
                int isDirectory = S_ISDIR(status.st_mode);
                if (flagged(disk, "refuse") || (isDirectory && flagged(disk, "refuse-directories")))
                    return errno = EIO, -1;
                int result = syscall(call, file);
                if (result == 0 && !isDirectory) keep(path, getenv("DURABLE"));
                return result;
            }
            return syscall(call, file);
        }

        int fsync(int file) { return synced(file, SYS_fsync); }
        int fdatasync(int file) { return synced(file, SYS_fdatasync); }
        """#
}
