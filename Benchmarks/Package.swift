// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

// For what valgrind counts: with dynamic Swift libraries it cannot run tasks. As `--static-swift-stdlib` does, and without
// building everything else again for it; the libraries that it would name are Foundation's own (6.3.1).
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
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let management: Target.Dependency = .product(name: "MultiIdentityManagement", package: "swift-multi-identity")
let files: Target.Dependency = .product(name: "MultiIdentityFiles", package: "swift-multi-identity")
let protection: Target.Dependency = .product(name: "MultiIdentityProtection", package: "swift-multi-identity")
let carriers: Target.Dependency = .product(name: "MultiIdentityCarriers", package: "swift-multi-identity")
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let foundation: Target.Dependency = .product(name: "MultiIdentityFoundation", package: "swift-multi-identity")
let benchmarking: Target.Dependency = .product(name: "MultiIdentityBenchmarking", package: "swift-multi-identity")
let doctor: Target.Dependency = .product(name: "MultiIdentityDoctor", package: "swift-multi-identity")
let automatic: Target.Dependency = .product(name: "MultiIdentityInterposition", package: "swift-multi-identity")
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
        .executable(name: "hop-time", targets: ["HopTime"]),
        .executable(name: "automatic-lifetime", targets: ["AutomaticLifetime"]),
        .executable(name: "automatic-missing", targets: ["AutomaticMissing"]),
        .executable(name: "automatic-host", targets: ["AutomaticHost"]),
        .library(name: "automatic-plugin", type: .dynamic, targets: ["AutomaticPlugin"]),
        .executable(name: "allocation-cost", targets: ["AllocationCost"]),
        .executable(name: "wipe-cost", targets: ["WipeCost"]),
        .executable(name: "owner-lookup-cost", targets: ["OwnerLookup"]),
        .executable(name: "registry-cost", targets: ["RegistryCost"]),
        .executable(name: "protection-speed", targets: ["ProtectionSpeed"]),
    ],
    dependencies: [
        .package(name: "swift-multi-identity", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // Percentiles of single hops.
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // What people carry by hand, for comparison.
        .package(url: "https://github.com/apple/swift-service-context", from: "1.1.0"),
    ],
    targets: [
        .target(name: "AccessLog", swiftSettings: settings),
        .target(
            name: "PublishedIncidents",
            dependencies: [core, carriers, foundation, lease],
            swiftSettings: settings
        ),
        .target(
            name: "IdentityStress",
            dependencies: [
                core, foundation, doctor, arguments, "AccessLog", "PublishedIncidents",
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
            name: "HopCases",
            dependencies: [
                core, foundation, lease, .product(name: "ServiceContextModule", package: "swift-service-context"),
            ],
            swiftSettings: settings
        ),
        .target(name: "CCountedPart"),
        .target(name: "HopCosting", dependencies: ["HopCases", "CCountedPart"], swiftSettings: settings),
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
        // Automatic mode before `main`, after it, and around `fork`.
        .target(name: "CLifetime"),
        .executableTarget(
            name: "AutomaticLifetime",
            dependencies: ["CLifetime", core, automatic],
            swiftSettings: settings
        ),
        // Automatic mode with a libdispatch that lacks a function.
        .target(name: "CMissing"),
        .executableTarget(
            name: "AutomaticMissing",
            dependencies: ["CMissing", core, automatic],
            swiftSettings: settings
        ),
        // Automatic mode in a library that is opened by a program that knows nothing of it.
        .executableTarget(name: "AutomaticHost"),
        .target(name: "AutomaticPlugin", dependencies: [core, automatic], swiftSettings: settings),
        .target(name: "CBytesInUse"),
        .executableTarget(
            name: "HopTime",
            dependencies: [
                "HopCases", "CBytesInUse", core, benchmarking, arguments,
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: settings
        ),
        // Apart from the others, since it counts whatever the process allocates.
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "AllocationCost",
            dependencies: [doctor, arguments, "CAllocationCount"],
            swiftSettings: settings
        ),
        // Stops a wipe between two steps, to see what others get done without it.
        .target(name: "CWipePause"),
        .executableTarget(
            name: "WipeCost",
            dependencies: ["CWipePause", core, policy, files, protection, arguments],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "OwnerLookup",
            dependencies: [core, files, arguments],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
        .executableTarget(
            name: "RegistryCost",
            dependencies: ["CAllocationCount", core, policy, management, arguments],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
        // What a file costs in C, with the library that the package uses on Linux.
        .target(name: "CFileLoop", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "ProtectionSpeed",
            dependencies: ["CFileLoop", core, policy, protection, arguments],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AccessLogTests",
            dependencies: ["AccessLog"],
            resources: [],
            swiftSettings: settings
        ),
        .testTarget(
            name: "IdentityStressTests",
            dependencies: ["IdentityStress", "PublishedIncidents", "HopCases", core, doctor, arguments],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
