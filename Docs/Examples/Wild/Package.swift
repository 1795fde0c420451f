// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

/// The versions that are examined, and no more: what is asserted of them is true of these.
let examined: [Target.Dependency] = [
    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdTesting", package: "hummingbird"),
    .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
    .product(name: "Instrumentation", package: "swift-distributed-tracing"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "Tracing", package: "swift-distributed-tracing"),
]

let package = Package(
    name: "wild",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        // Nothing of this project: a file of these can be sent to those whom it is about.
        .testTarget(name: "ReproducerTests", dependencies: examined),
        // The same with the kit, as they are and mended by their users.
        .testTarget(
            name: "KitTests",
            dependencies: examined + [
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityTesting", package: "swift-multi-identity"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets { target.swiftSettings = settings }
