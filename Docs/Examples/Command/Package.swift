// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["MULTI_IDENTITY_CHECKED"] != nil { settings.append(.treatAllWarnings(as: .error)) }

let package = Package(
    name: "multi-identity-command",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "multi-identity", targets: ["multi-identity"])],
    dependencies: [
        .package(name: "swift-multi-identity", path: "../../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "multi-identity",
            dependencies: [
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityPolicy", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFiles", package: "swift-multi-identity"),
                .product(name: "MultiIdentityProtection", package: "swift-multi-identity"),
                .product(name: "MultiIdentityManagement", package: "swift-multi-identity"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "multi-identity",
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityPolicy", package: "swift-multi-identity"),
                .product(name: "MultiIdentityProtection", package: "swift-multi-identity"),
                .product(name: "MultiIdentityManagement", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
