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
    name: "schedules",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-multi-identity", path: "../../..")],
    targets: [
        .testTarget(
            name: "SchedulingTests",
            dependencies: [
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityScheduling", package: "swift-multi-identity"),
            ],
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
