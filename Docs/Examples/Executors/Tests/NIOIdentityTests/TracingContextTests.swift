import Dispatch
import MultiIdentity
import NIOIdentity
import NIOPosix
import ServiceContextModule
import Testing

@Suite("A tracing context that is named as a companion") struct TracingContextTests {
    private enum TraceID: ServiceContextKey {
        typealias Value = String
    }

    init() { IdentityCompanions.carry(ServiceContext.$current) }

    private var traced: ServiceContext {
        var context = ServiceContext.topLevel
        context[TraceID.self] = "4bf92f35"
        return context
    }

    @Test("crosses a queue with the identity, and an executor that this package does not know")
    func crossing() async throws {
        let ada = try Identity("ada@contoso.com")
        let pool = NIOThreadPool.singleton
        let seen = await withCheckedContinuation { (continuation: CheckedContinuation<[String?], Never>) in
            ServiceContext.withValue(traced) {
                withIdentity(ada) {
                    IdentityQueue(label: "traced").async {
                        let onQueue = ServiceContext.current?[TraceID.self]
                        pool.propagatingIdentity.submit { _ in
                            let inPool = ServiceContext.current?[TraceID.self]
                            continuation.resume(returning: [onQueue, inPool, Identity.current?.name])
                        }
                    }
                }
            }
        }
        #expect(seen == ["4bf92f35", "4bf92f35", "ada@contoso.com"])
    }
}
