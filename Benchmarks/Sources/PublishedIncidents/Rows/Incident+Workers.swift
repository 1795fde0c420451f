import MultiIdentity

extension Incident {
    static let workers = [leftOnAWorker, inheritedByAWorker, cleanedOnAnotherThread]

    private static let leftOnAWorker = Incident(
        name: "left-on-a-worker",
        title: "A thread-local left on a worker",
        references: [.issue("ruby-i18n/i18n", 381), .issue("ErwinM/acts_as_tenant", 126)],
        mechanism: """
            A request sets a variable of the thread that serves it, and ends without taking it away. The next request on \
            that thread, which sets none, has the last one's.
            """,
        lesson: "Bind for the length of a closure. What is taken away by hand stays where an error comes between.",
        keeper: "withIdentity",
        asPublished: {
            let worker = WorkerThread()
            await worker.run {
                ThreadUser.current = Users.ada
                guard (try? fail()) != nil else { return }  // the error's way out, past the line that cleans up
                ThreadUser.current = nil
            }
            let next = await worker.run { ThreadUser.current }
            return [Sighting("the next request, without a user,", of: nil, saw: next)]
        },
        withPackage: {
            let worker = WorkerThread()
            await worker.run { try? withIdentity(Users.ada) { try fail() } }
            let next = await worker.run { Identity.current }
            return [Sighting("the next request, without a user,", of: nil, saw: next)]
        }
    )

    private static let inheritedByAWorker = Incident(
        name: "inherited-by-a-worker",
        title: "An inheritable thread-local in a pool",
        references: [
            .issue("spring-projects/spring-security", 6856), .issue("apache/grails-spring-security", 587),
        ],
        mechanism: """
            A pool starts its worker when the first work comes. The worker inherits the first user's context, and keeps it \
            for all work that it runs later. In Swift: a `Task { }` that drains a stream of closures.
            """,
        lesson: "What a worker inherits says who started it, not for whom it works. Capture where work is put in.",
        keeper: "IdentitySnapshot.wrap",
        asPublished: {
            let pool = LazyPool()
            await RequestUser.$current.withValue(Users.ada) { await pool.run {} }
            let seen = await RequestUser.$current.withValue(Users.bea) { await pool.run { RequestUser.current } }
            return [Sighting("Bea's work in the pool", of: Users.bea, saw: seen)]
        },
        withPackage: {
            let pool = LazyPool()
            await withIdentity(Users.ada) { await pool.run {} }
            let seen = await withIdentity(Users.bea) {
                await pool.run(IdentitySnapshot.capture().wrap { Identity.current })
            }
            return [Sighting("Bea's work in the pool", of: Users.bea, saw: seen)]
        }
    )

    private static let cleanedOnAnotherThread = Incident(
        name: "thread-local-across-await",
        title: "A thread-local where threads are shared by tasks",
        references: [.issue("micronaut-projects/micronaut-core", 3106), .issue("DataDog/java-profiler", 625)],
        mechanism: """
            A request keeps its user in a variable of the thread and gives the thread up while it waits, as a Swift task does \
            at each `await` and a virtual thread with its carrier. Another request runs there meanwhile.
            """,
        lesson: "A thread belongs to the work on it now. What a request knows has to travel with the request.",
        keeper: "withIdentity, bound in the task",
        asPublished: {
            let (carrier, isSet, isToEnd) = (WorkerThread(), Signal(), Signal())
            let first = Task(executorPreference: carrier) {
                ThreadUser.current = Users.ada
                isSet.come()
                await isToEnd.wait()
                ThreadUser.current = nil
            }
            await isSet.wait()
            let seen = await Task(executorPreference: carrier) { ThreadUser.current }.value
            isToEnd.come()
            await first.value
            return [Sighting("a request without a user on that thread", of: nil, saw: seen)]
        },
        withPackage: {
            let (carrier, isSet, isToEnd) = (WorkerThread(), Signal(), Signal())
            let first = Task(executorPreference: carrier) {
                await withIdentity(Users.ada) {
                    isSet.come()
                    await isToEnd.wait()
                }
            }
            await isSet.wait()
            let seen = await Task(executorPreference: carrier) { Identity.current }.value
            isToEnd.come()
            await first.value
            return [Sighting("a request without a user on that thread", of: nil, saw: seen)]
        }
    )

    private struct Failed: Error {}

    private static func fail() throws { throw Failed() }
}
