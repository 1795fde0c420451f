extension ShadowedModule {
    static let foundation = ShadowedModule(
        name: "Foundation",
        product: "MultiIdentityFoundation",
        shadows: operations + threads + handlers
    )

    private static let operations = [
        Shadow(
            "OperationQueue",
            "func addOperation(_ block: @escaping @Sendable () -> Void)",
            instead: "`operations.propagatingIdentity.addOperation`, or make it an `IdentityOperationQueue`",
            "propagatingIdentity.addOperation(block)"
        ),
        Shadow(
            "OperationQueue",
            "func addOperation(_ op: Operation)",
            instead: "`operations.propagatingIdentity.addOperation`, or make it an `IdentityOperationQueue`",
            "propagatingIdentity.addOperation(op)"
        ),
        Shadow(
            "OperationQueue",
            "func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool)",
            instead: "`operations.propagatingIdentity.addOperations`, or make it an `IdentityOperationQueue`",
            "propagatingIdentity.addOperations(ops, waitUntilFinished: wait)"
        ),
        Shadow(
            "OperationQueue",
            "func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void)",
            instead: "`operations.propagatingIdentity.addBarrierBlock`, or make it an `IdentityOperationQueue`",
            "propagatingIdentity.addBarrierBlock(barrier)"
        ),
    ]

    private static let threads = [
        Shadow(
            "Thread",
            "convenience init(block: @escaping @Sendable () -> Void)",
            instead: "`Thread.propagatingIdentity { }`",
            "self.init(ShadowMark(), block: block)"
        ),
        Shadow(
            "Thread",
            "class func detachNewThread(_ block: @escaping @Sendable () -> Void)",
            instead: "`Thread.propagatingIdentity.detachNewThread { }`",
            "propagatingIdentity.detachNewThread(block)"
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
        Shadow(
            "Timer",
            """
            @discardableResult class func scheduledTimer(withTimeInterval interval: TimeInterval, repeats: Bool, \
            block: @escaping @Sendable (Timer) -> Void) -> Timer
            """,
            instead: "`Timer.propagatingIdentity.scheduledTimer`",
            "propagatingIdentity.scheduledTimer(withTimeInterval: interval, repeats: repeats, block: block)"
        ),
        Shadow(
            "RunLoop",
            "func perform(_ block: @escaping @Sendable () -> Void)",
            instead: "`runLoop.propagatingIdentity.perform`",
            "propagatingIdentity.perform(block)"
        ),
        Shadow(
            "RunLoop",
            "func perform(inModes modes: [RunLoop.Mode], block: @escaping @Sendable () -> Void)",
            instead: "`runLoop.propagatingIdentity.perform`",
            "propagatingIdentity.perform(inModes: modes, block: block)"
        ),
    ]

    private static let handlers =
        [
            Shadow(
                "NotificationCenter",
                """
                func addObserver(forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?, \
                using block: @escaping @Sendable (Notification) -> Void) -> any NSObjectProtocol
                """,
                instead: "`center.propagatingIdentity.addObserver`",
                "propagatingIdentity.addObserver(forName: name, object: obj, queue: queue, using: block)"
            ),
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
