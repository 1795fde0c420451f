extension ShadowedModule {
    static let foundation = ShadowedModule(
        name: "Foundation",
        product: "MultiIdentityFoundation",
        shadows: operations + threads + registrations + handlers
    )

    private static let operations = Shadow.carrying(
        [
            "func addOperation(_ block: @escaping @Sendable () -> Void)",
            "func addOperation(_ op: Operation)",
            "func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool)",
            "func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void)",
        ],
        of: "OperationQueue",
        as: "operations",
        orElse: ", or make it an `IdentityOperationQueue`"
    )

    private static let threads = [
        Shadow(
            "Thread",
            "convenience init(block: @escaping @Sendable () -> Void)",
            instead: "`Thread.propagatingIdentity { }`",
            "self.init(ShadowMark(), block: block)"
        ),
        Shadow(
            "Timer",
            """
            convenience init(fire date: Date, interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void)
            """,
            instead: "`Timer.propagatingIdentity(…)`",
            "self.init(ShadowMark(), fire: date, interval: interval, repeats: repeats, block: block)"
        ),
        Shadow(
            "Timer",
            """
            convenience init(timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void)
            """,
            instead: "`Timer.propagatingIdentity(…)`",
            """
            let date = Date(timeIntervalSinceNow: interval)
            self.init(ShadowMark(), fire: date, interval: interval, repeats: repeats, block: block)
            """
        ),
    ]

    private static let registrations = [
        ("Thread", "thread", "class func detachNewThread(_ block: @escaping @Sendable () -> Void)"),
        (
            "Timer", "timer",
            """
            @discardableResult class func scheduledTimer(withTimeInterval interval: TimeInterval, repeats: Bool, \
            block: @escaping @Sendable (Timer) -> Void) -> Timer
            """
        ),
        ("RunLoop", "runLoop", "func perform(_ block: @escaping @Sendable () -> Void)"),
        ("RunLoop", "runLoop", "func perform(inModes modes: [RunLoop.Mode], block: @escaping @Sendable () -> Void)"),
        (
            "NotificationCenter", "center",
            """
            func addObserver(forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?, \
            using block: @escaping @Sendable (Notification) -> Void) -> any NSObjectProtocol
            """
        ),
    ].flatMap { Shadow.carrying([$2], of: $0, as: $1) }

    private static let handlers =
        [
            Shadow(
                "Process",
                """
                @discardableResult class func run(_ url: URL, arguments: [String], \
                terminationHandler: (@Sendable (Process) -> Void)? = nil) throws -> Process
                """,
                instead: "`Process.propagatingIdentity.run`",
                "try propagatingIdentity.run(url, arguments: arguments, terminationHandler: terminationHandler)"
            ),
            handler("Process", "terminationHandler", "(@Sendable (Process) -> Void)?"),
        ]
        + ["readabilityHandler", "writeabilityHandler"].map {
            handler("FileHandle", $0, "(@Sendable (FileHandle) -> Void)?")
        }
        + ["cancellationHandler", "pausingHandler", "resumingHandler"].map {
            handler("Progress", $0, "(@Sendable () -> Void)?")
        }

    private static func handler(_ type: String, _ name: String, _ kind: String) -> Shadow {
        Shadow(
            type,
            "var \(name): \(kind)",
            instead: "`.propagatingIdentity.\(name)`",
            """
            get { propagatingIdentity.\(name) }
            set { propagatingIdentity.\(name) = newValue }
            """
        )
    }
}
