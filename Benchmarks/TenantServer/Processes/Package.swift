// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

let core: Target.Dependency = .product(name: "MultiIdentity", package: "swift-multi-identity")
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let files: Target.Dependency = .product(name: "MultiIdentityFiles", package: "swift-multi-identity")
let protection: Target.Dependency = .product(name: "MultiIdentityProtection", package: "swift-multi-identity")
let envelopes: Target.Dependency = .product(name: "IdentityEnvelopes", package: "tenant-server")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let carriers: Target.Dependency = .product(name: "MultiIdentityCarriers", package: "swift-multi-identity")
let ledger: Target.Dependency = .product(name: "ledger", package: "tenant-server")
let parts: Target.Dependency = .product(name: "LedgerParts", package: "tenant-server")
let jobs: Target.Dependency = .product(name: "JobQueues", package: "tenant-server")
let databaseServers: Target.Dependency = .product(name: "DatabaseServers", package: "databases")
let postgreSQL: Target.Dependency = .product(name: "PostgreSQLIdentity", package: "databases")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let grpc: Target.Dependency = .product(name: "GRPCCore", package: "grpc-swift-2")
let grpcNetwork: Target.Dependency = .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "tenant-server-processes",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(name: "databases", path: "../../../Docs/Examples/Databases"),
        .package(name: "tenant-server", path: "../../../Docs/Examples/TenantServer"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        // Enqueues jobs and runs them, to be killed meanwhile.
        .executableTarget(
            name: "job-runner",
            dependencies: [jobs, core, arguments, database, lifecycle, logging, postgreSQL, signals]
        ),
        // Hands files to another one of its kind, to be killed meanwhile.
        .executableTarget(
            name: "hand-over-node",
            dependencies: [
                envelopes, core, carriers, policy, files, protection, arguments, httpTypes, hummingbird, logging,
            ]
        ),
        // The ledger, wrong on purpose.
        .executableTarget(name: "plain-ledger", dependencies: [parts, core, configuration, logging]),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "hand-over-node", "job-runner", "plain-ledger", envelopes, files, policy, protection, ledger, jobs,
                parts, core, carriers, database, databaseServers, grpc,
                grpcNetwork, logging, postgreSQL,
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = settings }
