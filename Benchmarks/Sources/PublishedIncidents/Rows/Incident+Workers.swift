import MultiIdentity

extension Incident {
    static let workers = [leftOnAWorker, inheritedByAWorker, cleanedOnAnotherThread, retriedJob]

    private static let leftOnAWorker = Incident(
        name: "left-on-a-worker",
        title: "A thread-local left on a worker",
        symptom: "now and then a request without a user has one",
        kind: .workers,
        references: [.issue("ruby-i18n/i18n", 381), .issue("ErwinM/acts_as_tenant", 126)],
        mechanism: """
            A request sets a variable of the thread that serves it, and ends without taking it away. The next request on \
            that thread, which sets none, has the last one's.
            """,
        model: nil,
        lesson: "Bind for the length of a closure. What is taken away by hand stays where an error comes between.",
        keeper: Keeper("`withIdentity`", see: "Server.md#six-steps"),
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
        symptom: "background work runs as the first user since the start, or since an idle pool grew",
        kind: .workers,
        references: [
            .issue("spring-projects/spring-security", 6856), .issue("apache/grails-spring-security", 587),
        ],
        mechanism: """
            A pool starts its worker when the first work comes. The worker inherits the first user's context, and keeps it \
            for all work that it runs later. In Swift: a `Task { }` that drains a stream of closures.
            """,
        model: "A thread that inherits is a task here, which inherits as well.",
        lesson: "What a worker inherits says who started it, not for whom it works. Capture where work is put in.",
        keeper: Keeper("`IdentitySnapshot.wrap`", see: "Server.md#six-steps"),
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
        symptom: "a log line or a row has the user of a request that ran at the same time",
        kind: .workers,
        references: [.issue("micronaut-projects/micronaut-core", 3106), .issue("DataDog/java-profiler", 625)],
        mechanism: """
            A request keeps its user in a variable of the thread and gives the thread up while it waits, as a Swift task does \
            at each `await` and a virtual thread with its carrier. Another request runs there meanwhile.
            """,
        model: "The carrier is a thread with a queue, the virtual threads are tasks that prefer it.",
        lesson: "A thread belongs to the work on it now. What a request knows has to travel with the request.",
        keeper: Keeper("`withIdentity`, bound in the task", see: "Server.md#six-steps"),
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

    private static let retriedJob = Incident(
        name: "retried-job",
        title: "A job retried under the previous job's tenant",
        symptom: "a job is right at first, and wrong when it is retried",
        kind: .workers,
        references: [.issue("influitive/apartment-sidekiq", 27), .issue("ErwinM/acts_as_tenant", 126)],
        mechanism: """
            A middleware writes a job's tenant beside it and switches the worker to it. A dashboard that has no such \
            middleware retries the job, and it runs as the tenant that the worker was switched to last.
            """,
        model: "The queue is a list of values; a retry puts the job back without what the middleware added.",
        lesson: "The owner is part of the job, and written once. A job without one is no one's, not the last one's.",
        keeper: Keeper("`IdentityBaggage`, a claim in the row", see: "Server.md#jobs-that-outlive-the-process"),
        asPublished: {
            let worker = WorkerThread()
            let perform: @Sendable (Identity?) -> Identity? = { tenant in
                if let tenant { ThreadUser.current = tenant }
                return ThreadUser.current
            }
            for tenant in [Users.ada, Users.bea] { _ = await worker.run { perform(tenant) } }
            let retried = await worker.run { perform(nil) }
            let unowned = await worker.run { perform(nil) }
            return retrying(saw: retried, unowned)
        },
        withPackage: {
            let worker = WorkerThread()
            let perform: @Sendable (Envelope) throws -> Identity? = { job in
                try withIdentity(job.owner) { Identity.current }
            }
            let jobs = try [Users.ada, Users.bea].map { try withIdentity($0) { try Envelope() } }
            for job in jobs { _ = try await worker.run { Result { try perform(job) } }.get() }
            let retried = try await worker.run { Result { try perform(jobs[0]) } }.get()
            let row = try Envelope()
            let unowned = try await worker.run { Result { try perform(row) } }.get()
            return retrying(saw: retried, unowned)
        }
    )

    private static func retrying(saw retried: Identity?, _ unowned: Identity?) -> [Sighting] {
        [
            Sighting("Ada's job, retried after Bea's", of: Users.ada, saw: retried),
            Sighting("a job without an owner", of: nil, saw: unowned),
        ]
    }

    private struct Failed: Error {}

    private static func fail() throws { throw Failed() }
}
