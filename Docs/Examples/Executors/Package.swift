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
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]

let package = Package(
    name: "executors",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.65.0"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    ],
    targets: [
        .target(name: "NIOIdentity", dependencies: [core] + nio, swiftSettings: settings),
        .testTarget(
            name: "NIOIdentityTests",
            dependencies: [
                "NIOIdentity", core, .product(name: "MultiIdentityTesting", package: "swift-multi-identity"),
                .product(name: "MultiIdentityCarriers", package: "swift-multi-identity"),
                .product(name: "ServiceContextModule", package: "swift-service-context"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
            ] + nio,
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
