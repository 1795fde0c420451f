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
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let automatic: Target.Dependency = .product(name: "MultiIdentityInterposition", package: "swift-multi-identity")

let package = Package(
    name: "automatic",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.65.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        // Knows nothing of the product: what it calls is as its authors wrote it.
        .target(
            name: "ThirdParties",
            dependencies: [
                core, .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "Plain", dependencies: ["ThirdParties"], swiftSettings: settings),
        // The same program, with the product in this line and in an `import`.
        .executableTarget(name: "Automatic", dependencies: ["ThirdParties", automatic], swiftSettings: settings),
        // Only the product, for the ways of linking.
        .executableTarget(name: "Smallest", dependencies: [core, automatic], swiftSettings: settings),
        // The server example's adapters, as they are.
        .target(name: "HummingbirdIdentity", dependencies: [core, hummingbird], swiftSettings: settings),
        .target(name: "LoggingIdentity", dependencies: [core, logging], swiftSettings: settings),
        .target(name: "MetricsIdentity", dependencies: [core, metrics], swiftSettings: settings),
        .testTarget(
            name: "AutomaticTests",
            dependencies: [
                "HummingbirdIdentity", "LoggingIdentity", "MetricsIdentity", "ThirdParties", core, automatic,
                hummingbird, logging, metrics,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "MultiIdentityTesting", package: "swift-multi-identity"),
                .product(name: "MultiIdentityDoctor", package: "swift-multi-identity"),
                .product(name: "MultiIdentityNetworking", package: "swift-multi-identity"),
                .product(name: "MultiIdentityPolicy", package: "swift-multi-identity"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
