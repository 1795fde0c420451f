import MultiIdentity
import MultiIdentityCarriers
import MultiIdentityLease
import Testing

@Suite("A consumer of messages", .rule("14.14")) struct ConsumerTests {
    struct Message: Sendable {
        var number: Int
        var headers: [String: String] = [:]
    }

    struct Fields: IdentityInjector, IdentityExtractor {
        func inject(_ value: String, forKey key: String, into headers: inout [String: String]) { headers[key] = value }
        func extract(key: String, from headers: [String: String]) -> String? { headers[key] }
    }

    let notes = Notes<String>()

    var consumer: IdentityConsumer<Message> {
        let note: @Sendable (String, Message) -> Void = { [notes] in
            notes.add("\($0) \($1.number) as \(Identity.current?.name ?? "-")")
        }
        return IdentityConsumer(
            owner: { message in
                note("owner of", message)
                return try IdentityBaggage.standard.extract(from: message.headers, using: Fields())?
                    .verified(by: .trustedPeer("web", because: "of the test"))
            },
            acknowledge: { note("acknowledged", $0) },
            retry: { message, _ in note("retried", message) },
            deadLetter: { message, _ in note("buried", message) },
            afterError: { $1 is WorkError ? .deadLetter : .retry }
        )
    }

    func message(_ number: Int, of identity: Identity?) throws -> Message {
        var message = Message(number: number)
        try withIdentity(identity) {
            try IdentityBaggage.standard.inject(into: &message.headers, using: Fields())
        }
        return message
    }

    @Test("handles each message as its owner, and fetches the next as nobody") func scopes() async throws {
        let (ada, bob, starter) = (try newIdentity(), try newIdentity("bob"), try newIdentity("starter"))
        let owners: [Identity?] = [ada, bob, nil, .nobody, ada]
        let messages = try owners.enumerated().map { try message($0.offset, of: $0.element) }
        let left = Locked(messages[...])
        let (consumer, notes) = (consumer, notes)
        let stream = AsyncStream<Message> {
            notes.add("next as \(Identity.current?.name ?? "-")")
            return left.withLock { $0.popFirst() }
        }
        try await withIdentity(starter) {
            try await consumer.consume(stream) { message in
                notes.add("handled \(message.number) as \(Identity.current?.name ?? "-")")
                if message.number == 1 { throw WorkError() }
                if message.number == 4 { throw CancellationError() }
            }
            #expect(Identity.current == starter)
        }
        let expected = [
            "next as ", "owner of 0 as ", "handled 0 as \(ada.name)", "acknowledged 0 as \(ada.name)",
            "next as ", "owner of 1 as ", "handled 1 as \(bob.name)", "buried 1 as \(bob.name)",
            "next as ", "owner of 2 as ", "buried 2 as ",
            "next as ", "owner of 3 as ", "handled 3 as ", "acknowledged 3 as ",
            "next as ", "owner of 4 as ", "handled 4 as \(ada.name)", "retried 4 as \(ada.name)",
            "next as ",
        ]
        #expect(notes.all == expected)
    }

    @Test("refuses messages of unverified or revoked owners") func refused() async throws {
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        let errors = Notes<any Error>()
        let unverified = IdentityConsumer<Message>(
            owner: { _ in ada },
            acknowledge: { _ in },
            retry: { _, _ in },
            deadLetter: { _, error in errors.add(error) }
        )
        let first = try await unverified.consume(Message(number: 0)) { _ in Issue.record("handled") }
        #expect(first == .refused)
        #expect((errors.all.last as? LeaseError)?.code == .unverified)
        IdentityRevocation.revoke(ada, for: .signedOut)
        let second = try await consumer.consume(message(1, of: ada)) { _ in Issue.record("handled") }
        #expect(second == .refused)
    }

    @Test("drops no message that was fetched during a cancellation", arguments: [false, true])
    func cancelledLoop(verifies: Bool) async throws {
        let ada = try newIdentity()
        let job = try message(0, of: ada)
        let (task, isSet) = (Locked<Task<Void, any Error>?>(nil), Gate())
        let (consumer, notes) = (consumer, notes)
        // Cancels the loop while it has a message to deliver, or while the owner is being verified.
        let verifying = IdentityConsumer<Message>(
            owner: { _ in
                task.withLock { $0?.cancel() }
                throw CancellationError()
            },
            acknowledge: { _ in Issue.record("acknowledged") },
            retry: { message, _ in notes.add("retried \(message.number) as \(Identity.current?.name ?? "-")") },
            deadLetter: { _, _ in Issue.record("buried") }
        )
        let stream = AsyncStream<Message> {
            if !verifies { task.withLock { $0?.cancel() } }
            return job
        }
        let loop = Task {
            await isSet.wait()
            try await (verifies ? verifying : consumer).consume(stream) { message in
                notes.add("handled \(message.number) as \(Identity.current?.name ?? "-")")
                try Task.checkCancellation()
            }
        }
        task.withLock { $0 = loop }
        isSet.open()
        try await loop.value
        let handled = ["owner of 0 as ", "handled 0 as \(ada.name)", "retried 0 as \(ada.name)"]
        #expect(notes.all == (verifies ? ["retried 0 as "] : handled))
    }

    enum Fate: CaseIterable { case handled, thrown, unverified }

    @Test("gives the steps after a handler a grace period", arguments: Fate.allCases, [true, false])
    func cancelledSettlement(fate: Fate, ends: Bool) async throws {
        let (clock, begun, goOn, ada) = (ManualClock(), Gate(), Gate(), try newIdentity())
        let (notes, inside, job) = (notes, Notes<Bool>(), try message(0, of: ada))
        let settle: @Sendable (String) async -> Void = { step in
            inside.add(Task.isCancelled)
            begun.open()
            await goOn.wait()
            inside.add(Task.isCancelled)
            notes.add("\(step) as \(Identity.current?.name ?? "-")")
        }
        let consumer = IdentityConsumer<Message>(
            grace: .seconds(5),
            clock: clock,
            owner: { message in
                if fate == .unverified { throw CancellationError() }
                return try IdentityBaggage.standard.extract(from: message.headers, using: Fields())?
                    .verified(by: .trustedPeer("web", because: "of the test"))
            },
            acknowledge: { _ in await settle("acknowledged") },
            retry: { _, _ in await settle("retried") },
            deadLetter: { _, _ in await settle("buried") }
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await consumer.consume(job) { _ in if fate == .thrown { throw WorkError() } }
        }
        await begun.wait()
        await clock.untilThereSleep(1)
        if ends {
            goOn.open()
            #expect(try await task.value == (fate == .handled ? .acknowledged : .retried))
            let name = fate == .unverified ? "" : ada.name
            #expect(notes.all == ["\(fate == .handled ? "acknowledged" : "retried") as \(name)"])
            #expect(inside.all == [false, false])
        } else {
            clock.advance(by: .seconds(5))
            await expect(throws: LeaseError.Code.exceededMaxDuration) { try await task.value }
            goOn.open()
            await eventually { inside.all == [false, true] }
        }
        await clock.untilThereSleep(0)
    }

    @Test("neither acknowledges nor retries a message whose owner was revoked meanwhile", arguments: [false, true])
    func revokedWhileHandled(throwing: Bool) async throws {
        let ada = try newIdentity()
        let outcome = try await consumer.consume(message(0, of: ada)) { [notes] _ in
            notes.add("handled")
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            if throwing { throw CancellationError() }
        }
        #expect(outcome == .refused)
        #expect(notes.all == ["owner of 0 as ", "handled", "buried 0 as "])
    }
}
