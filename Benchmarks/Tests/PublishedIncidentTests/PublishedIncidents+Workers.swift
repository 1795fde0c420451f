import MultiIdentity
import Testing

extension PublishedIncidents {
    /// ruby-i18n/i18n#381, ErwinM/acts_as_tenant#126.
    @Test("a thread-local left on a worker") func leftOnAWorker() async throws {
        try await reproduce(nil) {
            let worker = WorkerThread()
            await worker.run {
                ThreadUser.current = Users.ada
                guard (try? fail()) != nil else { return }  // the error's way out, past the line that cleans up
                ThreadUser.current = nil
            }
            let next = await worker.run { ThreadUser.current }
            return [next]
        } withPackage: {
            let worker = WorkerThread()
            await worker.run { try? withIdentity(Users.ada) { try fail() } }
            let next = await worker.run { Identity.current }
            return [next]
        }
    }

    /// spring-projects/spring-security#6856, apache/grails-spring-security#587.
    @Test("an inheritable thread-local in a pool") func inheritedByAWorker() async throws {
        try await reproduce(Users.bea) {
            let pool = LazyPool()
            await RequestUser.$current.withValue(Users.ada) { await pool.run {} }
            let seen = await RequestUser.$current.withValue(Users.bea) { await pool.run { RequestUser.current } }
            return [seen]
        } withPackage: {
            let pool = LazyPool()
            await withIdentity(Users.ada) { await pool.run {} }
            let seen = await withIdentity(Users.bea) {
                await pool.run(IdentitySnapshot.capture().wrap { Identity.current })
            }
            return [seen]
        }
    }

    /// micronaut-projects/micronaut-core#3106, DataDog/java-profiler#625.
    @Test("a thread-local where threads are shared by tasks") func threadLocalAcrossAwait() async throws {
        try await reproduce(nil) {
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
            return [seen]
        } withPackage: {
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
            return [seen]
        }
    }
}

private struct Failed: Error {}

private func fail() throws { throw Failed() }
