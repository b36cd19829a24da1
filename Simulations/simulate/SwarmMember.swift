import Glibc

/// One of the processes of a swarm, started when there is something to do.
final class SwarmMember {
    /// The outcome of listening.
    enum News {
        case nothing
        case answer(Worker.Answer)
        case died(String)
    }

    private var child: Child?
    /// The number of the job that it works on.
    private(set) var job: Int?

    var output: Int32 { child?.output ?? -1 }

    /// Hands a job out; false when no process can be started.
    func start(_ number: Int, _ job: Job) -> Bool {
        if child == nil { child = Child.start([Child.program, SimulateCommand.workerWord]) }
        guard let child else { return false }
        self.job = number
        // A process that died meanwhile is noticed when it is listened to.
        _ = Terminal.tryToWrite("\(job.scenario) \(job.seed)\n", to: child.input)
        return true
    }

    /// Reads what the process says.
    func listen() -> News {
        guard let child else { return .nothing }
        if !child.readSome() {
            let (code, signal) = child.waitForEnd()
            self.child = nil
            job = nil
            return .died(
                signal == 0
                    ? "the process ended with code \(code)"
                    : "the process died of signal \(signal)")
        }
        guard let line = child.nextLine() else { return .nothing }
        job = nil
        guard let answer = Worker.decode(line) else {
            dismiss(kills: true)
            return .died("the process gave no sensible answer")
        }
        return .answer(answer)
    }

    /// Ends the process, at once or in order.
    func dismiss(kills: Bool) {
        guard let child else { return }
        child.closeInput()
        if kills { kill(child.id, SIGKILL) }
        _ = child.waitForEnd()
        self.child = nil
    }
}
