// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

// As in Benchmarks/Package.swift, which says why.
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
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let client: Target.Dependency = .product(name: "PostgreSQLIdentity", package: "databases")
let servers: Target.Dependency = .product(name: "DatabaseServers", package: "databases")
let accounts: Target.Dependency = .product(name: "PostgreSQLAccounts", package: "databases")
let management: Target.Dependency = .product(name: "MultiIdentityManagement", package: "swift-multi-identity")
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let carriers: Target.Dependency = .product(name: "MultiIdentityCarriers", package: "swift-multi-identity")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "database-stress",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "database-stress", targets: ["DatabaseStress"]),
        .executable(name: "fleet-stress", targets: ["FleetStress"]),
        .executable(name: "database-cost", targets: ["DatabaseCost"]),
    ],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../.."),
        .package(name: "databases", path: "../../Docs/Examples/Databases"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "DatabaseStress",
            dependencies: [core, lease, client, servers, arguments],
            swiftSettings: settings
        ),
        // Links to those of the tenant server's example: what else that depends on is not needed, and their `package`
        // interface is.
        .target(name: "SignedIdentity", dependencies: [core, carriers, crypto], swiftSettings: settings),
        .target(
            name: "JobQueue",
            dependencies: ["SignedIdentity", core, database, lifecycle, logging],
            resources: [
                .embedInCode("Schema/jobs.sql"), .embedInCode("Schema/claim.sql"), .embedInCode("Schema/actors.sql"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PostgreSQLJobs",
            dependencies: ["JobQueue", lease, client, logging],
            resources: [.embedInCode("policies.sql")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FleetStress",
            dependencies: [
                "JobQueue", "PostgreSQLJobs", "SignedIdentity", logging, core, management, policy, accounts, client,
                servers, arguments,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "DatabaseCost",
            dependencies: [core, client, arguments],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
    ],
    swiftLanguageModes: [.v6]
)
