// swift-tools-version: 6.2
import PackageDescription

// Programs to read and to copy; README.md describes each.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // For this repository's own checks.
    .treatAllWarnings(as: .error, .when(traits: ["Strict"])),
]

/// A product of the root package.
func multiIdentity(_ suffix: String) -> Target.Dependency {
    .product(name: "MultiIdentity\(suffix)", package: "swift-multi-identity")
}

/// A product of the package of adapters.
func adapter(_ name: String) -> Target.Dependency { .product(name: name, package: "Integrations") }

let core = multiIdentity("")
let carriers = multiIdentity("Carriers")
let files = multiIdentity("Files")
let lease = multiIdentity("Lease")
let management = multiIdentity("Management")
let policy = multiIdentity("Policy")
let protection = multiIdentity("Protection")
let testing = multiIdentity("Testing")

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grpc: [Target.Dependency] = [
    .product(name: "GRPCCore", package: "grpc-swift-2"),
    .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
]
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")
let inMemoryTracing: Target.Dependency = .product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")

/// A server for many users, and the service that it calls.
let server: [Target] = [
    .target(
        name: "LedgerCalls",
        dependencies: [core, carriers, adapter("GRPCIdentity"), adapter("SignedIdentity"), lifecycle] + grpc
    ),
    .executableTarget(name: "ledger", dependencies: ["LedgerCalls", adapter("SignedIdentity")] + grpc),
    .executableTarget(
        name: "tenant-server",
        dependencies: [
            "LedgerCalls", core, carriers, files, policy, protection, adapter("HummingbirdIdentity"),
            adapter("SignedIdentity"), hummingbird, lifecycle, logging, .product(name: "JWTKit", package: "jwt-kit"),
        ]
    ),
    .testTarget(
        name: "TenantServerTests",
        dependencies: [
            "LedgerCalls", "tenant-server", core, protection, adapter("HummingbirdIdentity"), adapter("SignedIdentity"),
            hummingbird, hummingbirdTesting, inMemoryTracing, logging, tracing,
            .product(name: "InMemoryLogging", package: "swift-log"),
        ] + grpc
    ),
]

/// The command for files, keys, policies and wipes.
let command: [Target] = [
    .executableTarget(
        name: "multi-identity",
        dependencies: [
            core, policy, files, protection, management,
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        exclude: ["README.md"]
    ),
    .testTarget(
        name: "CommandTests",
        dependencies: ["multi-identity", core, policy, protection, management]
    ),
]

/// A program that replaces Dispatch, so it cannot share a process with another target's tests.
let alone: Target = .executableTarget(  // .ci/run runs automatic-libraries
    name: "automatic-libraries",
    dependencies: [
        core, policy, multiIdentity("Diagnostics"), multiIdentity("Doctor"), multiIdentity("AutomaticMode"),
        multiIdentity("Networking"), testing,
        grdb, .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "OpenCombineFoundation", package: "OpenCombine"),
    ] + nio
)

/// A program that always links the Swift runtime statically.
let attack: Target = .executableTarget(  // .ci/run runs operation-attack
    name: "operation-attack",
    dependencies: [core, multiIdentity("Foundation")],
    swiftSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))],
    linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]
)

/// Verifies what Docs/Reliability.md says of published packages.
let wild: Target = .testTarget(
    name: "WildTests",
    dependencies: [
        core, lease, testing, grdb, hummingbird, hummingbirdTesting, inMemoryTracing, logging, tracing,
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
    ] + nio
)

/// Verifies the same for packages that run under controlled schedules.
let scheduledWild: Target = .testTarget(
    name: "WildScheduleTests",
    dependencies: [
        multiIdentity("Scheduling"), grdb, lifecycle, logging,
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
    ]
)

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Strict", description: "Warnings are errors: for this repository's checks.")],
    dependencies: [
        .package(
            name: "swift-multi-identity",
            path: "../..",
            traits: [.trait(name: "Strict", condition: .when(traits: ["Strict"]))]
        ),
        .package(
            name: "Integrations",
            path: "../../Sources/Integrations",
            traits: [
                "GRPC", "Hummingbird", "Signing", .trait(name: "Strict", condition: .when(traits: ["Strict"])),
            ]
        ),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // WildTests and WildScheduleTests assert the behavior of exactly this version of a package.
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.0.0"),
    ],
    targets: server + command + [alone, attack, wild],
    swiftLanguageModes: [.v6]
)
#if os(Linux)  // where schedules can be controlled
package.targets.append(scheduledWild)
#endif

for target in package.targets { target.swiftSettings = settings + (target.swiftSettings ?? []) }
