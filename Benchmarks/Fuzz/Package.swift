// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),  // nothing depends on this package
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Separate from Benchmarks, since with libFuzzer every executable of a package has to be made for it.
let package = Package(
    name: "swift-multi-identity-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-multi-identity", path: "../..")],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                .product(name: "MultiIdentity", package: "swift-multi-identity"),
                .product(name: "MultiIdentityCarriers", package: "swift-multi-identity"),
                .product(name: "MultiIdentityPolicy", package: "swift-multi-identity"),
                .product(name: "MultiIdentityManagement", package: "swift-multi-identity"),
                .product(name: "MultiIdentityFiles", package: "swift-multi-identity"),
                .product(name: "MultiIdentityProtection", package: "swift-multi-identity"),
            ],
            swiftSettings: settings,
            // The independent implementation that names are checked against; its module does not name a library.
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]
        )
    ],
    swiftLanguageModes: [.v6]
)
