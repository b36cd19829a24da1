import Glibc

// A worker that died must not take its parent with it.
_ = signal(SIGPIPE, SIG_IGN)
exit(SimulateCommand.run(Array(CommandLine.arguments.dropFirst())))
