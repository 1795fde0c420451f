extension ShadowedModule {
    /// What every target sees, without an import.
    static let concurrency = ShadowedModule(
        name: "_Concurrency",
        product: "MultiIdentity",
        shadows: detached("Failure == Never", "", "Never")
            + detached("Failure == any Error", " throws", "any Error")
            + handlers
            + streams
    )

    static let observation = ShadowedModule(
        name: "Observation",
        product: "MultiIdentity",
        shadows: [
            Shadow(
                nil,
                """
                func withObservationTracking<T>(_ apply: () -> T, \
                onChange: @autoclosure () -> @Sendable () -> Void) -> T
                """,
                instead: "`withIdentityObservationTracking`",
                "withIdentityObservationTracking(apply, onChange: onChange())"
            )
        ]
    )

    private static let since26 = "@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)"

    private static func detached(_ condition: String, _ effects: String, _ failure: String) -> [Shadow] {
        let operation = "operation: sending @escaping @isolated(any) () async\(effects) -> Success"
        return [
            Shadow(
                "Task where \(condition)",
                """
                @discardableResult static func detached(name: String? = nil, priority: TaskPriority? = nil, \
                \(operation)) -> Task<Success, \(failure)>
                """,
                instead: "`Task.propagatingIdentity.detached { }`",
                "Task<Never, Never>.propagatingIdentity.detached(name: name, priority: priority, operation: operation)"
            ),
            Shadow(
                "Task where \(condition)",
                """
                \(since26) @discardableResult static func immediateDetached(name: String? = nil, \
                priority: TaskPriority? = nil, executorPreference taskExecutor: consuming (any TaskExecutor)? = nil, \
                @_implicitSelfCapture @_inheritActorContext(always) \(operation)) -> Task<Success, \(failure)>
                """,
                instead: "`Task.propagatingIdentity.immediateDetached { }`",
                """
                Task<Never, Never>.propagatingIdentity.immediateDetached(
                    ShadowMark(),
                    name: name,
                    priority: priority,
                    executorPreference: taskExecutor,
                    operation: operation
                )
                """
            ),
        ]
    }

    private static let handlers = [
        Shadow(
            nil,
            """
            func withTaskCancellationHandler<T>(operation: @concurrent () async throws -> T, onCancel handler: @Sendable () -> Void, \
            isolation: isolated (any Actor)? = #isolation) async rethrows -> T
            """,
            instead: "`Task.propagatingIdentity.withCancellationHandler`",
            """
            try await Task<Never, Never>.propagatingIdentity.withCancellationHandler(operation: operation, onCancel: handler)
            """
        ),
        Shadow(
            nil,
            """
            \(since26) nonisolated(nonsending) func withTaskPriorityEscalationHandler<T, E>(\
            operation: nonisolated(nonsending) () async throws(E) -> T, \
            onPriorityEscalated handler: @Sendable (TaskPriority, TaskPriority) -> Void) async throws(E) -> T \
            where E : Error
            """,
            instead: "`Task.propagatingIdentity.withPriorityEscalationHandler`",
            """
            try await Task<Never, Never>.propagatingIdentity.withPriorityEscalationHandler(
                operation: operation,
                onPriorityEscalated: handler
            )
            """
        ),
    ]

    private static let streams = [
        ("AsyncStream", "AsyncStream<Element>"), ("AsyncThrowingStream", "AsyncThrowingStream<Element, Failure>"),
    ].map { type, full in
        Shadow(
            "\(type).Continuation",
            "var onTermination: (@Sendable (\(full).Continuation.Termination) -> Void)?",
            instead: "`continuation.propagatingIdentity.onTermination`",
            """
            get { propagatingIdentity.onTermination }
            nonmutating set { propagatingIdentity.onTermination = newValue }
            """
        )
    }
}
