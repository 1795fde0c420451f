import MultiIdentity
import MultiIdentityInterposition
import Testing
import ThirdParties

extension AutomaticMode {
    @Suite("a library that dispatches inside") struct ThirdPartyTests {
        static let reached = ThirdPartyCase.all.filter { $0.outOfReach == nil }
        static let unreached = ThirdPartyCase.all.filter { $0.outOfReach != nil }
        static let callers: [Identity?] = [try? Identity("ada@contoso.com"), .nobody, nil]

        @Test("runs its work as whoever called it", arguments: reached, callers)
        func keeps(_ third: ThirdPartyCase, _ caller: Identity?) async throws {
            #expect(try await third.identityOfWork(as: caller) == caller)
        }

        @Test("loses the identity while it is turned off, and keeps it when turned on again", arguments: reached)
        func loses(_ third: ThirdPartyCase) async throws {
            let ada = try Identity("ada@contoso.com")
            IdentityInterposition.turnOff()
            let off = await Result { () async throws in try await third.identityOfWork(as: ada) }
            try IdentityInterposition.turnOn()
            #expect(try off.get() == nil)
            #expect(try await third.identityOfWork(as: ada) == ada)
        }

        @Test("loses it on threads of its own all the same, as is stated", arguments: unreached)
        func isOutOfReach(_ third: ThirdPartyCase) async throws {
            #expect(try await third.identityOfWork(as: Identity("ada@contoso.com")) == nil)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
