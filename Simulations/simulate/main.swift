import LinnetSimulator

let arguments = CommandLine.arguments
let name = arguments.count > 1 ? arguments[1] : "model"
let from = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : 1
let to = arguments.count > 3 ? UInt64(arguments[3]) ?? from : from
let tell = arguments.count > 4
guard var scenario = Scenario.named(name) else { fatalError("no scenario") }
if name == "household" { scenario.store = .model }
for seed in from...to {
    let outcome = scenario.run(seed: seed, sentence: tell ? { print($0) } : nil)
    print(outcome.json)
    if let complaint = outcome.complaint {
        print(complaint)
        for state in outcome.states { print(state) }
    }
}
