extension ShadowedModule {
    static let dispatch = ShadowedModule(
        name: "Dispatch",
        product: "MultiIdentity",
        shadows: queues + delayed + items + sources + accesses + channels
    )

    private static let queues = [
        Shadow(
            "DispatchQueue",
            "func async(execute work: @escaping @Sendable () -> Void)",
            instead: "`queue.propagatingIdentity.async { }`, or make it an `IdentityQueue`",
            preference: .overload,  // a third cheaper: the closure does not become a block first
            "propagatingIdentity.async(execute: work)"
        ),
        Shadow(
            "DispatchQueue",
            "class func concurrentPerform(iterations: Int, execute work: (Int) -> Void)",
            instead: "`IdentityQueue.concurrentPerform`",
            """
            withoutActuallyEscaping(work) { work in
                let work = ShadowedWork(work)
                IdentityQueue.concurrentPerform(iterations: iterations) { work.run($0) }
            }
            """
        ),
    ]

    private static let delayed = Shadow.carrying(
        [
            "async(group: DispatchGroup? = nil", "asyncAfter(deadline: DispatchTime",
            "asyncAfter(wallDeadline: DispatchWallTime",
        ]
        .map {
            """
            func \($0), qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], \
            execute work: @escaping @Sendable @convention(block) () -> Void)
            """
        },
        of: "DispatchQueue",
        as: "queue",
        orElse: ", or make it an `IdentityQueue`"
    )

    private static let items = [
        Shadow(
            "DispatchWorkItem",
            """
            convenience init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], \
            block: @escaping @convention(block) () -> ())
            """,
            instead: "`DispatchWorkItem.propagatingIdentity { }`",
            """
            let work = ShadowedWork { block() }
            self.init(ShadowMark(), qos: qos, flags: flags) { work.run() }
            """
        ),
        notify("DispatchWorkItem", "execute: @escaping @convention(block) () -> ()", "execute"),
        notify("DispatchGroup", "execute work: @escaping @convention(block) () -> ()", "work"),
    ]

    private static func notify(_ type: String, _ parameter: String, _ work: String) -> Shadow {
        Shadow(
            type,
            """
            func notify(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue, \(parameter))
            """,
            instead: "`.propagatingIdentity.notify`",
            """
            let work = ShadowedWork { \(work)() }
            propagatingIdentity.notify(qos: qos, flags: flags, queue: queue) { work.run() }
            """
        )
    }

    private static let sources = ["Event", "Cancel", "Registration"].map { kind in
        Shadow(
            "DispatchSourceProtocol",
            """
            func set\(kind)Handler(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], \
            handler: DispatchSourceHandler?)
            """,
            instead: "`source.propagatingIdentity.set\(kind)Handler`",
            """
            guard let handler else { return propagatingIdentity.set\(kind)Handler(qos: qos, flags: flags, handler: nil) }
            let work = ShadowedWork { handler() }
            propagatingIdentity.set\(kind)Handler(qos: qos, flags: flags) { work.run() }
            """
        )
    }

    private static let accesses = Shadow.boxing(
        [
            "func barrier(execute: @escaping () -> ())",
            """
            func read(offset: Int, length: Int, queue: DispatchQueue, \
            ioHandler: @escaping (Bool, DispatchData?, Int32) -> Void)
            """,
            """
            func write(offset: Int, data: DispatchData, queue: DispatchQueue, \
            ioHandler: @escaping (Bool, DispatchData?, Int32) -> Void)
            """,
        ],
        of: "DispatchIO",
        as: "channel"
    )

    private static let channels = [
        Shadow(
            "DispatchIO",
            """
            class func read(fromFileDescriptor: Int32, maxLength: Int, runningHandlerOn queue: DispatchQueue, \
            handler: @escaping (DispatchData, Int32) -> Void)
            """,
            instead: "`IdentitySnapshot.capture().wrap { }` around the handler",
            """
            let work = ShadowedWork(handler)
            read(ShadowMark(), fromFileDescriptor, maxLength, queue) { work.run($0, $1) }
            """
        ),
        Shadow(
            "DispatchIO",
            """
            class func write(toFileDescriptor: Int32, data: DispatchData, runningHandlerOn queue: DispatchQueue, \
            handler: @escaping (DispatchData?, Int32) -> Void)
            """,
            instead: "`IdentitySnapshot.capture().wrap { }` around the handler",
            """
            let work = ShadowedWork(handler)
            write(ShadowMark(), toFileDescriptor, data, queue) { work.run($0, $1) }
            """
        ),
        Shadow(
            "DispatchIO",
            """
            convenience init(type: DispatchIO.StreamType, fileDescriptor: Int32, queue: DispatchQueue, \
            cleanupHandler: @escaping (Int32) -> Void)
            """,
            instead: "`DispatchIO.propagatingIdentity(…)`",
            """
            let handler = ShadowedWork(cleanupHandler)
            self.init(ShadowMark(), type: type, fileDescriptor: fileDescriptor, queue: queue) { handler.run($0) }
            """
        ),
        Shadow(
            "DispatchIO",
            """
            convenience init(type: DispatchIO.StreamType, io: DispatchIO, queue: DispatchQueue, \
            cleanupHandler: @escaping (Int32) -> Void)
            """,
            instead: "`DispatchIO.propagatingIdentity(…)`",
            """
            let handler = ShadowedWork(cleanupHandler)
            self.init(ShadowMark(), type: type, io: io, queue: queue) { handler.run($0) }
            """
        ),
    ]
}
