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
let automatic: Target.Dependency = .product(name: "MultiIdentityInterposition", package: "swift-multi-identity")

let package = Package(
    name: "automatic",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.65.0"),
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
        .testTarget(
            name: "AutomaticTests",
            dependencies: [
                "ThirdParties", core, automatic,
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
