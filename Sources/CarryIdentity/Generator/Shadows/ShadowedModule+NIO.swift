/// The declarations are written shorter here: `~` for `@escaping @Sendable`, `Future` for `EventLoopFuture`.
extension ShadowedModule {
    static let nioCore = ShadowedModule(
        name: "NIOCore",
        product: "NIOIdentity",
        shadows: Shadow.requirements(spelled(requirements), of: "EventLoop", as: "loop")
            + Shadow.carrying(spelled(loops), of: "EventLoop", as: "loop")
            + Shadow.carrying(spelled(callbacks + futures), of: "EventLoopFuture", as: "future")
            + Shadow.isolated(spelled(callbacks), of: "EventLoopFuture.Isolated")
            + Shadow.isolated(spelled(isolatedLoops), of: "NIOIsolatedEventLoop")
    )

    static let nioPosix = ShadowedModule(
        name: "NIOPosix",
        product: "NIOIdentity",
        shadows: Shadow.carrying(spelled(threadPool), of: "NIOThreadPool", as: "pool")
    )

    private static func spelled(_ declarations: [String]) -> [String] {
        declarations.map { short in
            let declaration = short.replacing("~", with: "@escaping @Sendable").replacing(
                "Future<",
                with: "EventLoopFuture<"
            )
            let isDiscardable = ["RepeatedTask", "Scheduled<T>"].contains { declaration.contains(") -> \($0)") }
            return "\(isDiscardable ? "@discardableResult " : "")@preconcurrency \(declaration)"
        }
    }

    private static let requirements = [
        "func execute(_ task: ~ () -> Void)",
        "func submit<T>(_ task: ~ () throws -> T) -> Future<T>",
        "func scheduleTask<T>(deadline: NIODeadline, _ task: ~ () throws -> T) -> Scheduled<T>",
        "func scheduleTask<T>(in: TimeAmount, _ task: ~ () throws -> T) -> Scheduled<T>",
    ]

    private static let place = "file: StaticString = #fileID, line: UInt = #line"
    private static let delays = "initialDelay: TimeAmount, delay: TimeAmount"
    private static let jitter = "maximumAllowableJitter: TimeAmount"
    private static let end = "notifying promise: EventLoopPromise<Void>? = nil"
    private static let flat = "_ task: ~ () throws -> Future<T>) -> Scheduled<T> where T : Sendable"
    private static let loops = [
        "func flatSubmit<T>(_ task: ~ () -> Future<T>) -> Future<T> where T : Sendable",
        "func flatScheduleTask<T>(deadline: NIODeadline, \(place), \(flat)",
        "func flatScheduleTask<T>(in delay: TimeAmount, \(place), \(flat)",
        "func scheduleRepeatedTask(\(delays), \(end), _ task: ~ (RepeatedTask) throws -> Void) -> RepeatedTask",
        "func scheduleRepeatedTask(\(delays), \(jitter), \(end), _ task: ~ (RepeatedTask) throws -> Void) -> RepeatedTask",
        "func scheduleRepeatedAsyncTask(\(delays), \(end), _ task: ~ (RepeatedTask) -> Future<Void>) -> RepeatedTask",
        """
        func scheduleRepeatedAsyncTask(\(delays), \(jitter), \(end), _ task: ~ (RepeatedTask) -> Future<Void>) -> RepeatedTask
        """,
    ]

    /// Those that an isolated future has as well.
    private static let callbacks = [
        "func flatMap<NewValue>(_ callback: ~ (Value) -> Future<NewValue>) -> Future<NewValue> where NewValue : Sendable",
        "func flatMapThrowing<NewValue>(_ callback: ~ (Value) throws -> NewValue) -> Future<NewValue>",
        "func flatMapErrorThrowing(_ callback: ~ (any Error) throws -> Value) -> Future<Value>",
        "func map<NewValue>(_ callback: ~ (Value) -> NewValue) -> Future<NewValue>",
        "func flatMapError(_ callback: ~ (any Error) -> Future<Value>) -> Future<Value> where Value : Sendable",
        """
        func flatMapResult<NewValue, SomeError>(_ body: ~ (Value) -> Result<NewValue, SomeError>) -> Future<NewValue> \
        where SomeError : Error
        """,
        "func recover(_ callback: ~ (any Error) -> Value) -> Future<Value>",
        "func unwrap<NewValue>(orElse callback: ~ () -> NewValue) -> Future<NewValue> where Value == NewValue?",
        "func always(_ callback: ~ (Result<Value, any Error>) -> Void) -> Future<Value>",
        "func whenSuccess(_ callback: ~ (Value) -> Void)",
        "func whenFailure(_ callback: ~ (any Error) -> Void)",
        "func whenComplete(_ callback: ~ (Result<Value, any Error>) -> Void)",
    ]

    private static let blocking = "onto queue: DispatchQueue, _ callbackMayBlock: ~"
    private static let fold =
        "<OtherValue>(_ futures: [Future<OtherValue>], with combiningFunction: ~ (Value, OtherValue"
    private static let folded = "-> Future<Value>) -> Future<Value> where Value : Sendable, OtherValue : Sendable"
    private static let reduced = "-> Future<Value> where Value : Sendable, InputValue : Sendable"
    private static let inputs = "initialResult: Value, _ futures: [Future<InputValue>], on eventLoop: any EventLoop"
    private static let futures = [
        """
        func flatMapWithEventLoop<NewValue>(_ callback: ~ (Value, any EventLoop) -> Future<NewValue>) -> Future<NewValue> \
        where NewValue : Sendable
        """,
        """
        func flatMapErrorWithEventLoop(_ callback: ~ (any Error, any EventLoop) -> Future<Value>) -> Future<Value> \
        where Value : Sendable
        """,
        """
        func flatMapBlocking<NewValue>(\(blocking) (Value) throws -> NewValue) -> Future<NewValue> \
        where Value : Sendable, NewValue : Sendable
        """,
        "func whenSuccessBlocking(\(blocking) (Value) -> Void) where Value : Sendable",
        "func whenFailureBlocking(\(blocking) (any Error) -> Void)",
        "func whenCompleteBlocking(\(blocking) (Result<Value, any Error>) -> Void) where Value : Sendable",
        "func fold\(fold)) \(folded)",
        "func foldWithEventLoop\(fold), any EventLoop) \(folded)",
        "static func reduce<InputValue>(_ \(inputs), _ nextPartialResult: ~ (Value, InputValue) -> Value) \(reduced)",
        """
        static func reduce<InputValue>(into \(inputs), _ updateAccumulatingResult: ~ (inout Value, InputValue) -> Void) \
        \(reduced)
        """,
    ]

    private static let isolatedLoops = [
        "func execute(_ task: ~ () -> Void)",
        "func submit<T>(_ task: ~ () throws -> T) -> Future<T>",
        "func scheduleTask<T>(deadline: NIODeadline, _ task: ~ () throws -> T) -> Scheduled<T>",
        "func scheduleTask<T>(in delay: TimeAmount, _ task: ~ () throws -> T) -> Scheduled<T>",
        "func flatScheduleTask<T>(deadline: NIODeadline, file: StaticString = #file, line: UInt = #line, \(flat)",
    ]

    private static let threadPool = [
        "func submit(_ body: @escaping NIOThreadPool.WorkItem)",
        "func runIfActive<T>(eventLoop: any EventLoop, _ body: ~ () throws -> T) -> Future<T> where T : Sendable",
        "func runIfActive<T>(_ body: ~ () throws -> T) async throws -> T where T : Sendable",
    ]
}
