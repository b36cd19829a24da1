// swift-tools-version: 6.3
import PackageDescription

// One row a module: what it may import. StyleTests checks the same table against the sources.
let modules: [(name: String, imports: [String])] = [
    ("LinnetWire", ["CZlib"]),
    ("LinnetCrypto", ["CSodium", "CArgon2"]),
    ("LinnetCRDT", ["LinnetWire"]),
    ("LinnetChannel", ["LinnetWire", "LinnetCrypto"]),
    ("LinnetMembership", ["LinnetWire", "LinnetCrypto", "LinnetCRDT"]),
    ("LinnetCard", ["LinnetWire", "LinnetCrypto", "LinnetMembership"]),
    ("LinnetStorage", ["LinnetWire", "LinnetCrypto", "LinnetCRDT", "CSQLite"]),
    ("LinnetCompanion", ["LinnetWire", "LinnetCrypto", "LinnetCRDT"]),
    ("LinnetMedication", ["LinnetWire", "LinnetCRDT"]),
    (
        "LinnetFaces",
        ["LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetCompanion", "LinnetMedication"]
    ),
    (
        "LinnetReplication",
        [
            "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetChannel", "LinnetMembership",
            "LinnetStorage", "LinnetCompanion",
        ]
    ),
    (
        "LinnetBench",
        [
            "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetChannel", "LinnetMembership",
            "LinnetStorage", "LinnetReplication", "CBench",
        ]
    ),
    ("LinnetDiscovery", ["LinnetWire", "LinnetCrypto", "CDNSSD"]),
    ("LinnetSystem", ["LinnetWire", "LinnetCrypto", "LinnetDiscovery", "CCurl"]),
    ("LinnetDesktop", ["LinnetSystem", "CSystemd"]),
    (
        "LinnetControl",
        ["LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetReplication", "LinnetSystem"]
    ),
    (
        "Linnet",
        [
            "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetChannel", "LinnetMembership",
            "LinnetCard", "LinnetStorage", "LinnetCompanion", "LinnetMedication", "LinnetFaces",
            "LinnetReplication", "LinnetDiscovery", "LinnetSystem", "LinnetControl",
        ]
    ),
    (
        "LinnetAPI",
        [
            "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetMedication", "LinnetFaces",
            "LinnetReplication", "LinnetSystem", "LinnetControl", "Linnet", "CQREncode",
        ]
    ),
    (
        "LinnetDashboard",
        [
            "LinnetWire", "LinnetCrypto", "LinnetMedication", "LinnetFaces", "LinnetDiscovery",
            "LinnetSystem", "LinnetControl", "Linnet", "LinnetAPI", "CMicroHTTPD",
            "CDashboardPage",
        ]
    ),
    (
        "LinnetRelay",
        [
            "LinnetWire", "LinnetCrypto", "LinnetStorage", "LinnetDiscovery", "LinnetSystem",
            "CMicroHTTPD",
        ]
    ),
]

// The modules that run a node; their tests share real homes, loops and sockets.
let shell = [
    "LinnetSystem", "LinnetDesktop", "LinnetControl", "Linnet", "LinnetAPI", "LinnetDashboard",
    "LinnetRelay",
]

// systemd is a part of Linux alone; what needs it says so elsewhere.
let dependencies = { (names: [String]) in
    names.map { name in
        Target.Dependency.byName(
            name: name, condition: name == "CSystemd" ? .when(platforms: [.linux]) : nil)
    }
}
let everyModule = modules.map(\.name)

// The second shell: what of the first column's modules a simulation may use.
let simulated = [
    "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetChannel", "LinnetMembership",
    "LinnetStorage", "LinnetCompanion", "LinnetMedication", "LinnetFaces", "LinnetReplication",
]

let simulations: [Target] = [
    .target(
        name: "CStandIn", dependencies: ["CSodium", "CSQLite"], path: "Simulations/CStandIn"),
    .target(
        name: "MembershipReference", dependencies: ["LinnetWire", "LinnetMembership"],
        path: "Simulations/MembershipReference"),
    .target(name: "CutModel", path: "Simulations/CutModel"),
    .target(
        name: "LinnetSimulator",
        dependencies: dependencies(
            simulated + ["CStandIn", "CSQLite", "MembershipReference"]),
        path: "Simulations",
        exclude: [
            "CStandIn", "CStoryPage", "CutModel", "MembershipReference", "Models", "Mutants",
            "README.md", "Seeds", "Suite", "simulate",
        ],
        sources: ["LinnetSimulator", "Scenarios"]),
    .target(name: "CStoryPage", path: "Simulations/CStoryPage", exclude: ["page"]),
    .executableTarget(
        name: "simulate",
        dependencies: ["LinnetSimulator", "CStoryPage", "CSodium", "CSQLite", "CZlib"],
        path: "Simulations/simulate"),
    .testTarget(
        name: "LinnetSimulatorTests",
        dependencies: dependencies(
            simulated + [
                "CutModel", "LinnetSimulator", "simulate", "CStandIn", "CSQLite",
                "MembershipReference",
            ])),
]

// The raw references of the measurements, and the program of their second processes.
let benchmarks: [Target] = [
    .target(name: "CBench", dependencies: ["CSQLite"]),
    .executableTarget(name: "linnet-bench", dependencies: ["LinnetBench"]),
]

// Small applications that use nothing but what is public; docs/examples/README.md presents them.
let exampleNames = ["Clinic", "Notes", "SharedList"]
let examples: [Target] =
    exampleNames.map {
        .executableTarget(name: $0, dependencies: ["Linnet"], path: "docs/examples/\($0)")
    } + [
        .testTarget(
            name: "ExamplesTests",
            dependencies: dependencies(["Linnet", "LinnetSimulator"] + exampleNames))
    ]

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CSodium", pkgConfig: "libsodium",
        providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
        name: "CArgon2", pkgConfig: "libargon2",
        providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
    .systemLibrary(
        name: "CSQLite", pkgConfig: "sqlite3",
        providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
        name: "CZlib", pkgConfig: "zlib",
        providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
        name: "CDNSSD", pkgConfig: "avahi-compat-libdns_sd",
        providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
    .systemLibrary(
        name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
        name: "CQREncode", pkgConfig: "libqrencode",
        providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .systemLibrary(
        name: "CCurl", pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
        name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
        providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
]

// The files of the dashboard's page, within the program.
let page: [Target] = [.target(name: "CDashboardPage", exclude: ["page"])]

let package = Package(
    name: "linnet",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Linnet", targets: ["Linnet"]),
        .library(name: "LinnetMedication", targets: ["LinnetMedication"]),
        .library(name: "LinnetFaces", targets: ["LinnetFaces"]),
        .library(name: "LinnetSimulator", targets: ["LinnetSimulator"]),
        .executable(name: "linnet", targets: ["LinnetCLI"]),
        .executable(name: "simulate", targets: ["simulate"]),
        .executable(name: "linnet-bench", targets: ["linnet-bench"]),
    ],
    targets: systemLibraries + simulations + benchmarks + page + examples
        + modules.map { .target(name: $0.name, dependencies: dependencies($0.imports)) }
        + [
            .executableTarget(
                name: "LinnetCLI",
                dependencies: dependencies(everyModule + ["CQREncode", "CSQLite"]))
        ]
        + modules.filter { !shell.contains($0.name) }.map {
            .testTarget(
                name: "\($0.name)Tests",
                dependencies: dependencies(
                    [$0.name] + $0.imports + ($0.name == "LinnetBench" ? ["linnet-bench"] : [])
                        + ($0.name == "LinnetReplication" ? ["LinnetMedication"] : [])
                        + ($0.name == "LinnetMembership" ? ["MembershipReference"] : [])),
                exclude: $0.name == "LinnetFaces" ? ["Recorded"] : [],
                resources: $0.name == "LinnetChannel" || $0.name == "LinnetMembership"
                    ? [.copy("Vectors")]
                    : $0.name == "LinnetMedication" ? [.copy("Zones")] : [])
        }
        + [
            .testTarget(name: "LinnetTests", dependencies: dependencies(everyModule)),
            .testTarget(
                name: "LinnetDashboardTests",
                dependencies: dependencies(everyModule + ["LinnetCLI", "CDashboardPage"])),
            .testTarget(name: "LinnetRelayTests", dependencies: dependencies(everyModule)),
            .testTarget(
                name: "LinnetCLITests",
                dependencies: dependencies(everyModule + ["LinnetCLI", "CSQLite"]),
                exclude: ["WrongInputs"]),
            .testTarget(
                name: "ConformanceTests",
                dependencies: dependencies([
                    "LinnetWire", "LinnetCrypto", "LinnetCRDT", "LinnetChannel",
                    "LinnetMembership", "LinnetCard", "LinnetStorage", "LinnetReplication",
                    "LinnetDiscovery",
                ])),
            .testTarget(
                name: "PublicAPITests",
                dependencies: ["Linnet", "LinnetMedication", "LinnetFaces", "LinnetSimulator"]),
            .testTarget(name: "StyleTests"),
        ]
)

// A warning is an error where Linnet itself is built and tested, and only there: a package that
// depends on this one would be refused, since its build silences the warnings of others.
let strict: [SwiftSetting] =
    Context.environment["LINNET_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

for target in package.targets where target.type != .system {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .strictMemorySafety(),
        ] + strict
}

// LINNET_OPTIMISED has the modules that compute the most optimised in a debug build, too: tests
// then take a fraction of their time, and assertions stay. Whoever depends on the package never
// meets these flags.
let optimisation = [
    "-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug",
]
let optimised: [SwiftSetting] =
    Context.environment["LINNET_OPTIMISED"] == nil ? [] : [.unsafeFlags(optimisation)]
let busy = simulated + ["MembershipReference", "CutModel", "LinnetSimulator"]

for target in package.targets where busy.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + optimised
}

// LINNET_TESTS=A,B leaves only these test targets and what they need: under a sanitizer everything
// is built once more, and these few take a third of the time.
if let chosen = Context.environment["LINNET_TESTS"] {
    var wanted = chosen.split(separator: ",").map(String.init)
    var next = 0
    while next < wanted.count {
        let target = package.targets.first { $0.name == wanted[next] }
        for case .byNameItem(let name, _) in target?.dependencies ?? []
        where !wanted.contains(name) {
            wanted.append(name)
        }
        next += 1
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll()
}
