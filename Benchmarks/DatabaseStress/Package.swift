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
    .unsafeFlags(["-static-stdlib", "-lstdc++"], .when(platforms: [.linux]))
]

let core: Target.Dependency = .product(name: "MultiIdentity", package: "swift-multi-identity")
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let client: Target.Dependency = .product(name: "PostgreSQLIdentity", package: "databases")
let servers: Target.Dependency = .product(name: "DatabaseServers", package: "databases")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "database-stress",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "database-stress", targets: ["DatabaseStress"]),
        .executable(name: "database-cost", targets: ["DatabaseCost"]),
    ],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../.."),
        .package(name: "databases", path: "../../Docs/Examples/Databases"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "DatabaseStress",
            dependencies: [core, lease, client, servers, arguments],
            swiftSettings: settings
        ),
        // Knows neither Foundation nor an argument parser: every instruction of the process is counted.
        .executableTarget(
            name: "DatabaseCost",
            dependencies: [core, client],
            swiftSettings: settings,
            linkerSettings: withoutDynamicSwift
        ),
    ],
    swiftLanguageModes: [.v6]
)
