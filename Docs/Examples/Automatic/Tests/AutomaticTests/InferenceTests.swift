import Dispatch
import MultiIdentity
import MultiIdentityPolicy
import Testing

extension AutomaticMode {
    /// The three ways in which public packages make another's of what plain calls lose (Docs/Wild.md), each as it is, in a
    /// few lines.
    @Suite("what ada has delivered, where grace's call began the delivery") struct InferenceTests {
        enum Way: CaseIterable, Sendable {
            /// RxSwift's `observe(on:)` a concurrent scheduler: one piece of work delivers all that has come meanwhile.
            case drained
            /// PromiseKit's `done(on: queue)`: who resolves hands over what others have registered.
            case resolved
            /// GRDB's observation of a pool: who writes hands over the fetch, on a queue of the writer's.
            case observed
        }

        /// The answers that ada's closure gets when it is delivered so.
        struct Found: Sendable {
            let current: Identity?
            let required: Result<Identity, IdentityError>
            let effective: EffectiveIdentity
            let mayLog: PolicyDecision

            init(_ accounts: Accounts) {
                current = .current
                required = Result { () throws(IdentityError) in try Identity.required() }
                effective = .current(for: .files)
                mayLog = accounts.decide(.log, for: effective.identity)
            }
        }

        private let ada: Identity
        private let grace: Identity
        private let accounts: Accounts

        init() throws {
            ada = try Identity("ada@contoso.com")
            grace = try Identity("grace@contoso.com")
            accounts = Accounts(mode: .multi, policies: PolicyFeed(PolicySet([grace: .everything])))
        }

        private func found(by way: Way, as effect: IdentityInference.Effect) async -> Found {
            IdentityInference.effect = effect
            defer { IdentityInference.effect = .decides }
            return await withCheckedContinuation { continuation in
                way.deliver(sentBy: ada, begunBy: grace) { [accounts] in continuation.resume(returning: Found(accounts))
                }
            }
        }

        @Test(
            "is grace's to whoever looks, and decides as hers unless that is turned off",
            .rule("4.14"),
            arguments: Way.allCases
        )
        func decides(_ way: Way) async throws {
            let found = await found(by: way, as: .decides)
            #expect(found.current == grace)
            #expect(try found.required.get() == grace)
            #expect(found.effective.identity == grace)
            #expect(found.mayLog.isAllowed)
        }

        @Test(
            "is never decided by her where inferred identities are only shown",
            .rule("4.14"),
            arguments: Way.allCases
        )
        func onlyShown(_ way: Way) async {
            let found = await found(by: way, as: .isOnlyShown)
            #expect(found.current == grace)
            #expect(throws: IdentityError.self) { try found.required.get() }
            #expect(found.effective.identity == .nobody)
            #expect(found.effective.explanation.inference != nil)
            #expect(found.mayLog.rule == .inferred)
        }

        @Test(
            "is ada's where she wraps it, also where inferred identities are only shown",
            .rule("4.14"),
            arguments: Way.allCases
        )
        func wrapped(_ way: Way) async throws {
            IdentityInference.effect = .isOnlyShown
            defer { IdentityInference.effect = .decides }
            let found = await withCheckedContinuation { continuation in
                let deliver = withIdentity(ada) {
                    IdentitySnapshot.capture().wrap { [accounts] in continuation.resume(returning: Found(accounts)) }
                }
                way.deliver(sentBy: ada, begunBy: grace, deliver)
            }
            #expect(try found.required.get() == ada)
            #expect(found.effective.identity == ada)
        }

        @Test(
            "what keeps its identity in plain calls decides as there: work that is waited for, and an item where it was made",
            .rule("4.14")
        )
        func kept() {
            IdentityInference.effect = .isOnlyShown
            defer { IdentityInference.effect = .decides }
            withIdentity(ada) {
                #expect(DispatchQueue(label: "sync").sync { try? Identity.required() } == ada)
                #expect(DispatchQueue(label: "sync").sync(flags: .barrier) { try? Identity.required() } == ada)
                var required: Identity?
                withoutActuallyEscaping({ required = try? Identity.required() }) {
                    DispatchWorkItem(block: $0).perform()
                }
                #expect(required == ada)
            }
        }
    }
}

extension AutomaticMode.InferenceTests.Way {
    /// Has what one sent delivered by work that another's call begins.
    func deliver(sentBy sender: Identity, begunBy other: Identity, _ work: @escaping @Sendable () -> Void) {
        switch self {
        case .drained:
            let (mailbox, isHeld) = (Mailbox(), DispatchSemaphore(value: 0))
            withIdentity(other) { mailbox.send { isHeld.wait() } }
            withIdentity(sender) { mailbox.send(work) }
            isHeld.signal()
        case .resolved:
            let registered = withIdentity(sender) { [work] }
            withIdentity(other) {
                for handler in registered { DispatchQueue(label: "done on").async(execute: handler) }
            }
        case .observed:
            let (writer, reducing) = (DispatchQueue(label: "writer"), DispatchQueue(label: "reducing"))
            let observers = withIdentity(sender) { [work] }
            withIdentity(other) {
                writer.async { for fetch in observers { reducing.async(execute: fetch) } }
            }
        }
    }
}

/// Delivers what it is sent, on a concurrent queue and one after another: who finds it idle begins.
private final class Mailbox: @unchecked Sendable {
    // `@unchecked Sendable`: what waits is touched on the queue for that alone.
    private var waiting: [@Sendable () -> Void] = []
    private var isDelivering = false
    private let order = DispatchQueue(label: "mailbox")
    private let deliveries = DispatchQueue(label: "deliveries", attributes: .concurrent)

    func send(_ work: @escaping @Sendable () -> Void) {
        let begins = order.sync {
            waiting.append(work)
            defer { isDelivering = true }
            return !isDelivering
        }
        if begins { deliveries.async { self.deliver() } }
    }

    private func deliver() {
        while let work = order.sync(execute: { next() }) { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        if waiting.isEmpty {
            isDelivering = false
            return nil
        }
        return waiting.removeFirst()
    }
}
