import Linnet

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

ProcessHardening.apply()
// A reader that goes away must not end a command in the middle of its work.
_ = signal(SIGPIPE, SIG_IGN)
Signals.watch()
exit(await CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
