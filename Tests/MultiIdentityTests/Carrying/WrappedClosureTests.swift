import MultiIdentity
import Testing

@Suite("A wrapped closure runs as the captured identity, in every shape") struct WrappedClosureTests {
    private enum Refused: Error, Equatable { case because(Int) }

    private let snapshot = IdentitySnapshot(of: ada)

    @Test("with no arguments, one, or three, and with a result")
    func arguments() {
        let none: @Sendable () -> Identity? = snapshot.wrap { Identity.current }
        let one: @Sendable (Int) -> (Int, Identity?) = snapshot.wrap { number in (number + 1, Identity.current) }
        let three: @Sendable (Int, String, [Int]) -> (String, Identity?) = snapshot.wrap { number, text, list in
            ("\(number) \(text) \(list)", Identity.current)
        }
        let seen = withIdentity(grace) { (none(), one(1), three(1, "a", [2]), Identity.current) }
        #expect(seen.0 == ada)
        #expect(seen.1.0 == 2 && seen.1.1 == ada)
        #expect(seen.2.0 == "1 a [2]" && seen.2.1 == ada)
        #expect(seen.3 == grace)
    }

    @Test("that throws, typed or not")
    func throwing() {
        let typed: @Sendable (Int) throws(Refused) -> Identity? = snapshot.wrap {
            (number: Int) throws(Refused) -> Identity? in
            if number > 0 { throw .because(number) }
            return Identity.current
        }
        let untyped: @Sendable () throws -> Void = snapshot.wrap { () throws -> Void in throw Refused.because(2) }
        withIdentity(grace) {
            do throws(Refused) {
                #expect(try typed(0) == ada)
                _ = try typed(1)
                Issue.record("it has not thrown")
            } catch { #expect(error == .because(1)) }
            #expect(throws: Refused.because(2)) { try untyped() }
            #expect(Identity.current == grace)
        }
    }

    @Test("that is asynchronous")
    func asynchronous() async {
        let none: @Sendable () async -> Identity? = snapshot.wrap { () async -> Identity? in
            await Task.yield()
            return Identity.current
        }
        let one: @Sendable (Int) async -> (Int, Identity?) = snapshot.wrap { (number: Int) async -> (Int, Identity?) in
            await Task.yield()
            return (number + 1, Identity.current)
        }
        await withIdentity(grace) {
            #expect(await none() == ada)
            let answer = await one(1)
            #expect(answer.0 == 2 && answer.1 == ada)
            #expect(Identity.current == grace)
        }
    }

    @Test("that is asynchronous and throws")
    func asynchronousThrowing() async {
        let notes = Notes<Identity?>()
        let none: @Sendable () async throws(Refused) -> Identity? = snapshot.wrap {
            () async throws(Refused) -> Identity? in
            await Task.yield()
            notes.add(.current)
            throw .because(3)
        }
        let one: @Sendable (Int) async throws(Refused) -> Identity? = snapshot.wrap {
            (number: Int) async throws(Refused) -> Identity? in
            await Task.yield()
            if number > 0 { throw .because(number) }
            return Identity.current
        }
        await withIdentity(grace) {
            do throws(Refused) {
                #expect(try await one(0) == ada)
                _ = try await one(4)
            } catch { #expect(error == .because(4)) }
            do throws(Refused) {
                _ = try await none()
            } catch { #expect(error == .because(3)) }
            #expect(notes.all == [ada])
            #expect(Identity.current == grace)
        }
    }

    @Test(
        "wrapped twice, it runs as the first captured identity",
        .rule("4.8"),
        arguments: [try Identity("grace@contoso.com"), .nobody, nil]
    )
    func twice(_ second: Identity?) async throws {
        let later = IdentitySnapshot(of: second)
        let closure: @Sendable () -> Identity? = later.wrap(snapshot.wrap { Identity.current })
        #expect(closure() == ada)
        let unset: @Sendable () -> Identity? = later.wrap(IdentitySnapshot(of: nil).wrap { Identity.current })
        #expect(withIdentity(grace) { unset() } == nil)
        let throwing: @Sendable () throws -> Identity? = later.wrap(snapshot.wrap { () throws in Identity.current })
        #expect(try throwing() == ada)
        let asynchronous: @Sendable () async -> Identity? = later.wrap(
            snapshot.wrap { () async -> Identity? in
                await Task.yield()
                return Identity.current
            }
        )
        #expect(await asynchronous() == ada)
    }
}
