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
let lease: Target.Dependency = .product(name: "MultiIdentityLease", package: "swift-multi-identity")
let testing: Target.Dependency = .product(name: "MultiIdentityTesting", package: "swift-multi-identity")

let package = Package(
    name: "pools",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        // The versions that are examined, and no more: what is asserted of their pools is true of these.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // A client of Redis, and leases of its connections: nothing but the package and the system.
        .target(name: "RedisIdentity", dependencies: [core, lease]),
        // The identity in SQL, for SQLite by GRDB: copy it.
        .target(name: "GRDBIdentity", dependencies: [core, .product(name: "GRDB", package: "GRDB.swift")]),
        // What each pool keeps, as the tests assert it and Docs/Leases.md has it.
        .target(name: "PoolFindings", dependencies: [testing]),
        .testTarget(name: "PoolFindingsTests", dependencies: ["PoolFindings", testing]),
        .testTarget(
            name: "RedisIdentityTests",
            dependencies: ["PoolFindings", "RedisIdentity", core, lease, testing]
        ),
        .testTarget(
            name: "GRDBIdentityTests",
            dependencies: [
                "GRDBIdentity", "PoolFindings", core, lease, testing, .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "HTTPClientPoolTests",
            dependencies: [
                "PoolFindings", core, lease, testing,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = settings }
