import Glibc
import LinnetSimulator

// A worker that died must not take its parent with it.
_ = signal(SIGPIPE, SIG_IGN)
guard SingleThread.begin() else {
    Terminal.note("simulate: SQLite was in use before the program began")
    exit(1)
}
exit(SimulateCommand.run(Array(CommandLine.arguments.dropFirst())))
