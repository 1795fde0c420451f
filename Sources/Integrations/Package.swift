// swift-tools-version: 6.2
import PackageDescription

// One product per existing library. Each has its dependencies behind a trait, which is off by default: a program that
// uses one adapter neither resolves nor links what the others need.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // For this repository's own checks, which enable all traits; adopters' builds do not see it.
    .treatAllWarnings(as: .error, .when(traits: ["Strict"])),
]

/// A product of the root package.
func multiIdentity(_ suffix: String) -> Target.Dependency {
    .product(name: "MultiIdentity\(suffix)", package: "swift-multi-identity")
}

/// A product of another package that the adapters of these traits need.
func product(_ name: String, _ package: String, for traits: String...) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: Set(traits)))
}

let core = multiIdentity("")
let carriers = multiIdentity("Carriers")
let diagnostics = multiIdentity("Diagnostics")
let lease = multiIdentity("Lease")
let management = multiIdentity("Management")
let policy = multiIdentity("Policy")
let protection = multiIdentity("Protection")
let testing = multiIdentity("Testing")

let asyncHTTPClient = [
    product("AsyncHTTPClient", "async-http-client", for: "AsyncHTTPClient", "OpenIDConnect", "OpenBao"),
    product("NIOCore", "swift-nio", for: "AsyncHTTPClient", "OpenIDConnect", "OpenBao"),
    product("NIOHTTP1", "swift-nio", for: "AsyncHTTPClient", "OpenIDConnect", "OpenBao"),
]
let configuration = product("Configuration", "swift-configuration", for: "Configuration")
let crypto = product("Crypto", "swift-crypto", for: "Envelopes", "OpenBao", "OpenIDConnect", "Signing")
let grpc = product("GRPCCore", "grpc-swift-2", for: "GRPC")
let hummingbird = product("Hummingbird", "hummingbird", for: "Hummingbird")
let jwt = product("JWTKit", "jwt-kit", for: "OpenIDConnect", "SecurityEvents")
let logging = product("Logging", "swift-log", for: "Logging")
let libpq: Target.Dependency = .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))
let metrics = product("Metrics", "swift-metrics", for: "Metrics", "Telemetry")
let nio = [product("NIOCore", "swift-nio", for: "NIO"), product("NIOPosix", "swift-nio", for: "NIO")]
let tracing = product("Tracing", "swift-distributed-tracing", for: "Tracing")

let adapters: [Target] = [
    .target(name: "AsyncHTTPTransport", dependencies: [management] + asyncHTTPClient),
    .target(name: "ConfigurationIdentity", dependencies: [core, management, policy, configuration]),
    .target(name: "GRPCIdentity", dependencies: [core, carriers, grpc]),
    .target(
        name: "HummingbirdIdentity",
        dependencies: ["LoggingIdentity", "TracingIdentity", core, hummingbird, logging, tracing]
    ),
    .target(name: "IdentityEnvelope", dependencies: [core, carriers, crypto]),
    .target(name: "LoggingIdentity", dependencies: [core, logging]),
    .target(name: "MetricsIdentity", dependencies: [core, diagnostics, lease, metrics]),
    .target(name: "NIOIdentity", dependencies: [core] + nio),
    .target(
        name: "OpenBaoKeys",
        dependencies: [core, protection, crypto] + asyncHTTPClient,
        exclude: ["policy.hcl"]
    ),
    .target(name: "OpenIDConnect", dependencies: ["IssuerKeys", core, management, crypto] + asyncHTTPClient),
    .target(name: "ScrubbedLogging", dependencies: [management, logging]),
    .target(name: "SecurityEvents", dependencies: ["IssuerKeys", core]),
    .target(name: "SignedIdentity", dependencies: [core, carriers, crypto]),
    .target(
        name: "TelemetryExport",
        dependencies: [management, policy, metrics, product("CoreMetrics", "swift-metrics", for: "Telemetry")]
    ),
    .target(name: "TracingIdentity", dependencies: [core, tracing]),
    .target(name: "URLSessionTransport", dependencies: [core, management]),
    // The public keys of token issuers; OpenIDConnect and SecurityEvents export it.
    .target(name: "IssuerKeys", dependencies: [jwt]),
]

let asyncHTTPClientInTests = product("AsyncHTTPClient", "async-http-client", for: "AsyncHTTPClient")
let hummingbirdTesting = product("HummingbirdTesting", "hummingbird", for: "Hummingbird")
let inMemoryLogging = product("InMemoryLogging", "swift-log", for: "Logging")
let inMemoryTracing = product("InMemoryTracing", "swift-distributed-tracing", for: "Tracing")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle", for: "Hummingbird")
let metricsTestKit = product("MetricsTestKit", "swift-metrics", for: "Metrics", "Telemetry")

/// They need all traits.
let adapterTests: [Target] = [
    .testTarget(
        name: "ConfigurationIdentityTests",
        dependencies: ["ConfigurationIdentity", configuration, core, management, policy]
    ),
    .testTarget(
        name: "GRPCIdentityTests",
        dependencies: [
            "GRPCIdentity", "SignedIdentity", core, carriers, grpc,
            product("GRPCInProcessTransport", "grpc-swift-2", for: "GRPC"),
        ]
    ),
    .testTarget(
        name: "HTTPTransportTests",
        dependencies: [
            "AsyncHTTPTransport", "URLSessionTransport", asyncHTTPClientInTests, core, hummingbird, hummingbirdTesting,
            management, policy,
        ]
    ),
    .testTarget(
        name: "HummingbirdIdentityTests",
        dependencies: [
            "HummingbirdIdentity", "MetricsIdentity", multiIdentity("Foundation"), hummingbird, hummingbirdTesting,
            inMemoryLogging, inMemoryTracing, logging, metrics, metricsTestKit, tracing,
        ]
    ),
    .testTarget(name: "IdentityEnvelopeTests", dependencies: ["IdentityEnvelope", "SignedIdentity", core, carriers]),
    .testTarget(
        name: "LoggingIdentityTests",
        dependencies: ["LoggingIdentity", "ScrubbedLogging", core, inMemoryLogging, logging, management]
    ),
    .testTarget(
        name: "MetricsIdentityTests",
        dependencies: [
            "MetricsIdentity", "TelemetryExport", core, diagnostics, lease, management, metrics, metricsTestKit,
            policy,
        ]
    ),
    // The tests' plain calls of swift-nio, with the plugin.
    .target(
        name: "CarriedNIOCalls",
        dependencies: ["NIOIdentity", core] + nio,
        path: "Tests/CarriedNIOCalls",
        plugins: [.plugin(name: "CarryIdentity", package: "swift-multi-identity")]
    ),
    .testTarget(
        name: "NIOIdentityTests",
        dependencies: ["CarriedNIOCalls", "NIOIdentity", core, multiIdentity("Doctor"), testing] + nio
    ),
    .testTarget(name: "OpenBaoKeysTests", dependencies: ["OpenBaoKeys", core, policy, protection]),
    .testTarget(
        name: "IssuerKeysTests",
        dependencies: [
            "IssuerKeys", "OpenIDConnect", "SecurityEvents", core, crypto, jwt, management,
            product("CryptoExtras", "swift-crypto", for: "OpenIDConnect"),
        ]
    ),
    .testTarget(name: "SignedIdentityTests", dependencies: ["SignedIdentity", core, carriers]),
    .testTarget(
        name: "TaskLocalTests",
        dependencies: [core, grpc, inMemoryTracing, lifecycle, logging, metrics, metricsTestKit, tracing]
    ),
    .testTarget(
        name: "TracingIdentityTests",
        dependencies: ["TracingIdentity", carriers, inMemoryTracing, tracing]
    ),
]

/// The client is behind its trait, since it needs libpq (`libpq-dev`).
let postgreSQL: [Target] = [
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "PostgreSQLIdentity", dependencies: [libpq, core, lease]),
    .target(
        name: "PostgreSQLAccounts",
        dependencies: ["PostgreSQLIdentity", core, management, policy],
        resources: [.embedInCode("accounts.sql")]
    ),
    // PostgreSQL and PgBouncer on private sockets, which the tests and the stress program start and kill.
    .target(name: "DatabaseServers", resources: [.embedInCode("serve.sh"), .embedInCode("schema.sql")]),
    .executableTarget(
        name: "DatabaseStress",
        dependencies: [
            "DatabaseServers", "PostgreSQLAccounts", "PostgreSQLIdentity", core, lease, management, policy, testing,
        ]
    ),
    .testTarget(
        name: "PostgreSQLTests",
        dependencies: [
            "DatabaseServers", "PostgreSQLAccounts", "PostgreSQLIdentity", core, lease, management, policy, testing,
        ]
    ),
]

let package = Package(
    name: "Integrations",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: (adapters.map(\.name).filter { $0 != "IssuerKeys" } + ["PostgreSQLAccounts", "PostgreSQLIdentity"])
        .map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "AsyncHTTPClient"),
        .trait(name: "Configuration"),
        .trait(name: "Envelopes"),
        .trait(name: "GRPC"),
        .trait(name: "Hummingbird", enabledTraits: ["Logging", "Tracing"]),
        .trait(name: "Logging"),
        .trait(name: "Metrics"),
        .trait(name: "NIO"),
        .trait(name: "OpenBao"),
        .trait(name: "OpenIDConnect"),
        .trait(name: "PostgreSQL", description: "Needs the system's libpq."),
        .trait(name: "SecurityEvents"),
        .trait(name: "Signing"),
        .trait(name: "Telemetry"),
        .trait(name: "Tracing"),
        .trait(name: "Strict", description: "Warnings are errors: for this repository's checks."),
    ],
    dependencies: [
        .package(
            name: "swift-multi-identity",
            path: "../..",
            traits: [.trait(name: "Strict", condition: .when(traits: ["Strict"]))]
        ),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.0.0"),
    ],
    targets: adapters + adapterTests + postgreSQL,
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system { target.swiftSettings = settings }
