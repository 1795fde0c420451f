// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),  // nothing depends on this package
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// For valgrind's counts: with dynamic Swift libraries it cannot run tasks. This has the effect of `--static-swift-stdlib` without
// rebuilding everything; the libraries that it would name are Foundation's own (6.3.1).
let withoutDynamicSwift: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections",
            "-lstdc++",
        ],
        .when(platforms: [.linux])
    )
]

let core: Target.Dependency = .product(name: "MultiIdentity", package: "swift-multi-identity")
let diagnostics: Target.Dependency = .product(name: "MultiIdentityDiagnostics", package: "swift-multi-identity")
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let management: Target.Dependency = .product(name: "MultiIdentityManagement", package: "swift-multi-identity")
let files: Target.Dependency = .product(name: "MultiIdentityFiles", package: "swift-multi-identity")
let protection: Target.Dependency = .product(name: "MultiIdentityProtection", package: "swift-multi-identity")
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let foundation: Target.Dependency = .product(name: "MultiIdentityFoundation", package: "swift-multi-identity")
let benchmarking: Target.Dependency = .product(name: "MultiIdentityBenchmarking", package: "swift-multi-identity")
let doctor: Target.Dependency = .product(name: "MultiIdentityDoctor", package: "swift-multi-identity")
let testing: Target.Dependency = .product(name: "MultiIdentityTesting", package: "swift-multi-identity")
let automatic: Target.Dependency = .product(name: "MultiIdentityAutomaticMode", package: "swift-multi-identity")
let threadContext: Target.Dependency = .product(name: "MultiIdentityThreadContext", package: "swift-multi-identity")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "swift-multi-identity-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "identity-stress", targets: ["IdentityStressProgram"]),
        .executable(name: "identity-stress-automatic", targets: ["IdentityStressAutomatic"]),
        .executable(name: "hop-cost", targets: ["HopCost"]),
        .executable(name: "hop-cost-dynamic", targets: ["HopCostDynamic"]),
        .executable(name: "hop-cost-automatic", targets: ["HopCostAutomatic"]),
        .executable(name: "costs", targets: ["Costs"]),
        .executable(name: "automatic-process", targets: ["AutomaticProcess"]),
        .executable(name: "automatic-host", targets: ["AutomaticHost"]),
        .library(name: "automatic-plugin", type: .dynamic, targets: ["AutomaticPlugin"]),
    ],
    traits: [.trait(name: "Strict", description: "The root package's own, so that one build serves both.")],
    dependencies: [
        .package(
            name: "swift-multi-identity",
            path: "..",
            traits: [.trait(name: "Strict", condition: .when(traits: ["Strict"]))]
        ),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(name: "CTruth"),
        .target(
            name: "IdentityStress",
            dependencies: [
                "CTruth", "HopCases", core, diagnostics, foundation, benchmarking, doctor, testing, arguments,
                threadContext,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "IdentityStressProgram",
            dependencies: ["IdentityStress", arguments],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "IdentityStressAutomatic",
            dependencies: ["IdentityStress", arguments, automatic],
            swiftSettings: settings
        ),
        .target(
            name: "CarriedCalls",
            dependencies: [core],
            swiftSettings: settings,
            plugins: [.plugin(name: "CarryIdentity", package: "swift-multi-identity")]
        ),
        .target(
            name: "HopCases",
            dependencies: [
                "CarriedCalls", core, diagnostics, foundation, lease, benchmarking, threadContext,
            ],
            swiftSettings: settings
        ),
        .target(name: "HopCosting", dependencies: ["HopCases"], swiftSettings: settings),
        .executableTarget(
            name: "HopCost",
            dependencies: ["HopCosting"],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
        .executableTarget(name: "HopCostDynamic", dependencies: ["HopCosting"], swiftSettings: settings),
        .executableTarget(
            name: "HopCostAutomatic",
            dependencies: ["HopCosting", automatic],
            swiftSettings: settings
        ),
        // Automatic mode before `main`, after it, around `fork`, and with a libdispatch that lacks a function.
        .target(name: "CAutomaticProcess"),
        .executableTarget(
            name: "AutomaticProcess",
            dependencies: ["CAutomaticProcess", core, automatic],
            swiftSettings: settings
        ),
        // Automatic mode in a library that is opened by a program that does not use it.
        .executableTarget(name: "AutomaticHost"),
        .target(name: "AutomaticPlugin", dependencies: [core, automatic], swiftSettings: settings),
        .target(name: "CCosts", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "Costs",
            dependencies: [
                "CCosts", "HopCases", core, diagnostics, benchmarking, files, lease, management, policy, protection,
                arguments,
            ],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
        .testTarget(
            name: "IdentityStressTests",
            dependencies: ["IdentityStress", "HopCases", core, doctor, testing, arguments],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PublishedIncidentTests",
            dependencies: [core, diagnostics, foundation, lease],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
