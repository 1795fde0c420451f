import Dispatch
import MultiIdentity

extension Incident {
    static let closures =
        [completionHandler, streamedAnswer, reusedContext, sharedLocals, metadataProvider] + globals

    private static let completionHandler = Incident(
        name: "completion-handler",
        title: "A completion handler that another user's work completes",
        symptom: "callbacks have the wrong user under load, when a pool is busy",
        kind: .closures,
        references: [
            .issue("DataDog/dd-trace-js", 8826), .issue("othiym23/node-continuation-local-storage", 58),
        ],
        mechanism: """
            A pool keeps the handlers of those who wait. The user that gives a connection back runs the next one's handler, \
            within their own context.
            """,
        model: "The pool is a list of handlers.",
        lesson: "A handler that is kept runs where somebody else is. Wrap it where it is handed over.",
        keeper: Keeper("`IdentitySnapshot.wrap`", see: "Wrapping.md#a-callback-api"),
        asPublished: {
            let (pool, seen) = (CallbackPool(), Seen())
            RequestUser.$current.withValue(Users.ada) { pool.take {} }
            RequestUser.$current.withValue(Users.bea) { pool.take { seen.note(RequestUser.current) } }
            RequestUser.$current.withValue(Users.ada) { pool.giveBack() }
            return [Sighting("Bea's completion handler", of: Users.bea, saw: try seen.only)]
        },
        withPackage: {
            let (pool, seen) = (CallbackPool(), Seen())
            withIdentity(Users.ada) { pool.take {} }
            withIdentity(Users.bea) {
                pool.take(IdentitySnapshot.capture().wrap { seen.note(Identity.current) })
            }
            withIdentity(Users.ada) { pool.giveBack() }
            return [Sighting("Bea's completion handler", of: Users.bea, saw: try seen.only)]
        }
    )

    private static let streamedAnswer = Incident(
        name: "streamed-answer",
        title: "A streamed answer that is written when its handler has returned",
        symptom: "short answers are right, and streamed ones have no user",
        kind: .closures,
        references: [.issue("grpc/grpc-swift-2", 20)],
        mechanism: """
            A handler returns a closure that writes the answer. The framework calls it behind the interceptor, after its scope \
            has ended: a span, a tenant, a user are gone in the middle of the request.
            """,
        model: "The framework is the caller of the closure.",
        lesson: "A scope around a handler ends when the handler returns. What it leaves to be called later is wrapped.",
        keeper: Keeper("`IdentitySnapshot.wrap`", see: "Server.md#what-a-framework-calls-later"),
        asPublished: {
            let write: @Sendable () -> Identity? = RequestUser.$current.withValue(Users.ada) { { RequestUser.current } }
            return [Sighting("the body of Ada's answer", of: Users.ada, saw: write())]
        },
        withPackage: {
            let write = withIdentity(Users.ada) { IdentitySnapshot.capture().wrap { Identity.current } }
            return [Sighting("the body of Ada's answer", of: Users.ada, saw: write())]
        }
    )

    private static let reusedContext = Incident(
        name: "reused-context",
        title: "A context object reused while a child still runs",
        symptom: "background work of a request has the next request's user",
        kind: .closures,
        references: [
            Reference(
                "GitHub, March 2021",
                "https://github.blog/2021-03-18-how-we-found-and-fixed-a-rare-race-condition-in-our-session-handling/"
            )
        ],
        mechanism: """
            A server uses one hash for the environment of all requests of a process, one after the other. A thread that the \
            last request has started still holds it, and finds the next one's user in it.
            """,
        model: "The hash is an object with a field; the thread a queue that waits until the next request has begun.",
        lesson: "What is captured must not change. A reference to a request's context is not the request's context.",
        keeper: Keeper("`IdentityQueue`", see: "Server.md#before-and-after"),
        asPublished: {
            let (context, background, seen) = (Mutable(Users.ada), DispatchQueue(label: "background"), Seen())
            background.suspend()
            background.async { seen.note(context.value) }
            context.value = Users.bea  // the next request
            background.resume()
            await background.drained()
            return [Sighting("what Ada's request left running", of: Users.ada, saw: try seen.only)]
        },
        withPackage: {
            let (background, seen) = (IdentityQueue(label: "background"), Seen())
            background.suspend()
            withIdentity(Users.ada) { background.async { seen.note(Identity.current) } }
            withIdentity(Users.bea) { background.resume() }
            await background.base.drained()
            return [Sighting("what Ada's request left running", of: Users.ada, saw: try seen.only)]
        }
    )

    private static let sharedLocals = Incident(
        name: "shared-locals",
        title: "A context that was copied, and is the same",
        symptom: "two messages that are handled at once see each other's user",
        kind: .closures,
        references: [.vulnerability("CVE-2025-49574"), .issue("quarkusio/quarkus", 48227)],
        mechanism: """
            Each message is to be handled in a duplicate of the context. The duplicate of a duplicate has its locals and no \
            copy of them: what one message writes there the next one reads. In Swift: a task-local that holds a reference.
            """,
        model: "The context is a task-local with an object in it.",
        lesson: "Bind values. An object in a task-local is shared by all who inherit it, and their changes with it.",
        keeper: Keeper("`withIdentity`, with bindings that cannot be changed", see: "Construction.md#the-argument"),
        asPublished: {
            let seen = await SharedLocals.$current.withValue(Mutable(nil)) {
                await twoMessages { user, meanwhile in
                    SharedLocals.current?.value = user
                    await meanwhile()
                    return SharedLocals.current?.value
                }
            }
            return [Sighting("the rest of Ada's message", of: Users.ada, saw: seen)]
        },
        withPackage: {
            let seen = await withIdentity(nil) {
                await twoMessages { user, meanwhile in
                    await withIdentity(user) {
                        await meanwhile()
                        return Identity.current
                    }
                }
            }
            return [Sighting("the rest of Ada's message", of: Users.ada, saw: seen)]
        }
    )

    private enum SharedLocals {
        @TaskLocal static var current: Mutable<Identity?>?
    }

    /// Handles a message of Ada's, and all of one of Bea's in its middle.
    private static func twoMessages(
        _ handle: @escaping @Sendable (Identity, @Sendable () async -> Void) async -> Identity?
    ) async -> Identity? {
        let (hasBegun, isToGoOn) = (Signal(), Signal())
        async let first = handle(Users.ada) {
            hasBegun.come()
            await isToGoOn.wait()
        }
        await hasBegun.wait()
        _ = await handle(Users.bea) {}
        isToGoOn.come()
        return await first
    }

    private static let metadataProvider = Incident(
        name: "metadata-provider",
        title: "A metadata provider called on the event loop",
        symptom: "log lines lack the user, though the code that logs has one",
        kind: .closures,
        references: [.issue("brainfinance/StackdriverLogging", 7)],
        mechanism: """
            A handler of swift-log hands the line to an event loop, and asks the metadata provider there, where the request's \
            task-locals are not. The line names no user, or the one of the scope that the loop happens to be in.
            """,
        model: "The event loop is a serial queue, the provider a closure.",
        lesson: "Ask where the question comes up, or take the asker along.",
        keeper: Keeper("`IdentityQueue`", see: "Server.md#what-to-log"),
        asPublished: {
            let (loop, seen) = (DispatchQueue(label: "loop"), Seen())
            let provider: @Sendable () -> Identity? = { RequestUser.current }
            RequestUser.$current.withValue(Users.ada) { loop.async { seen.note(provider()) } }
            await loop.drained()
            return [Sighting("a line of Ada's log", of: Users.ada, saw: try seen.only)]
        },
        withPackage: {
            let (loop, seen) = (IdentityQueue(label: "loop"), Seen())
            let provider: @Sendable () -> Identity? = { Identity.current }
            withIdentity(Users.ada) { loop.async { seen.note(provider()) } }
            await loop.base.drained()
            return [Sighting("a line of Ada's log", of: Users.ada, saw: try seen.only)]
        }
    )
}
