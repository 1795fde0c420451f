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
let management: Target.Dependency = .product(name: "MultiIdentityManagement", package: "swift-multi-identity")
let policy: Target.Dependency = .product(name: "MultiIdentityPolicy", package: "swift-multi-identity")
let testing: Target.Dependency = .product(name: "MultiIdentityTesting", package: "swift-multi-identity")

let package = Package(
    name: "databases",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "PostgreSQLIdentity", targets: ["PostgreSQLIdentity"]),
        .library(name: "PostgreSQLAccounts", targets: ["PostgreSQLAccounts"]),
        // For Benchmarks/DatabaseStress, which kills what this starts.
        .library(name: "DatabaseServers", targets: ["DatabaseServers"]),
    ],
    dependencies: [.package(name: "swift-multi-identity", path: "../../..")],
    targets: [
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(name: "PostgreSQLIdentity", dependencies: ["CPostgreSQL", core, lease], swiftSettings: settings),
        .target(
            name: "PostgreSQLAccounts",
            dependencies: ["CPostgreSQL", "PostgreSQLIdentity", core, management, policy],
            resources: [.embedInCode("accounts.sql")],
            swiftSettings: settings
        ),
        .target(
            name: "DatabaseServers",
            resources: [
                .embedInCode("serve.sh"), .embedInCode("identity.sql"), .embedInCode("notes.sql"),
                .embedInCode("sealed.sql"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgreSQLIdentityTests",
            dependencies: ["PostgreSQLIdentity", "DatabaseServers", core, lease, testing],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgreSQLAccountsTests",
            dependencies: ["PostgreSQLAccounts", "PostgreSQLIdentity", "DatabaseServers", core, management, policy],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
