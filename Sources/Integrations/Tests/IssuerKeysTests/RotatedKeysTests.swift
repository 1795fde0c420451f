import Foundation
import MultiIdentity
import OpenIDConnect
import Synchronization
import Testing

@Suite("The keys of an issuer") struct IssuerKeysTests {
    private func verify(_ token: String, _ keys: IssuerKeys) async -> IssuerKeysError.Code? {
        do throws(IssuerKeysError) {
            _ = try await keys.payload(of: token, typed: ["jwt"])
            return nil
        } catch { return error.code }
    }

    private func token(_ key: MadeKey) throws -> String { try key.token(["sub": "ada"]) }

    @Test("are fetched when needed, in one request for concurrent callers")
    func areFetchedOnce() async throws {
        let tested = try await TestedProvider()
        let token = try token(tested.key)
        #expect(tested.made.count("/keys") == 0)
        let ada = try Identity("ada@contoso.com")
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { await withIdentity(ada) { await verify(token, tested.provider.keys) } }
            }
            for await code in group { #expect(code == nil) }
        }
        #expect(tested.made.count("/keys") == 1)
        #expect(tested.made.count("/.well-known/openid-configuration") == 1)
        #expect(tested.made.state.withLock { $0.askers } == [nil], "for all of them, and in nobody's name")
        tested.time.advance(by: 3_599)
        #expect(await verify(token, tested.provider.keys) == nil)
        #expect(tested.made.count("/keys") == 1)
        tested.time.advance(by: 1)
        #expect(await verify(token, tested.provider.keys) == nil)
        #expect(tested.made.count("/keys") == 2)
    }

    @Test("are rotated: the first token of a new one finds it, and a removed one is no longer valid")
    func areRotated() async throws {
        let tested = try await TestedProvider()
        let keys = tested.provider.keys
        let (old, next) = (tested.key, try await MadeKey("EdDSA", id: "two"))
        #expect(await verify(try token(old), keys) == nil)
        tested.time.advance(by: 60)
        tested.made.state.withLock { $0.keys = [old, next] }
        #expect(await verify(try token(next), keys) == nil)
        #expect(await verify(try token(old), keys) == nil)
        tested.made.state.withLock { $0.keys = [next] }
        tested.time.advance(by: 3_600)
        #expect(await verify(try token(next), keys) == nil)
        #expect(await verify(try token(old), keys) == .unknownKey)
    }

    @Test("are requested at most once a minute, however many tokens name a missing one")
    func areAskedForSeldom() async throws {
        let tested = try await TestedProvider()
        #expect(await verify(try token(tested.key), tested.provider.keys) == nil)
        for minute in 0..<3 {
            for number in 0..<100 {
                let made = try await MadeKey("EdDSA", id: "made up \(number)")
                #expect(await verify(try token(made), tested.provider.keys) == .unknownKey)
            }
            #expect(tested.made.count("/keys") == 1 + minute)
            tested.time.advance(by: 60)
        }
        let unsigned = try tested.key.token([:], header: ["alg": "none"])
        #expect(await verify(unsigned, tested.provider.keys) == .algorithm)
        #expect(tested.made.count("/keys") == 3, "what cannot be good has nobody asked")
    }

    @Test(
        "are used for a day if no newer ones are available, and then no longer",
        arguments: ["down", "503", "302", "no set"]
    )
    func areBelievedForADay(failure: String) async throws {
        let tested = try await TestedProvider()
        let (keys, token) = (tested.provider.keys, try token(tested.key))
        #expect(await verify(token, keys) == nil)
        tested.made.state.withLock { state in
            state.isDown = failure == "down"
            state.status = Int(failure) ?? 200
            state.keySet = failure == "no set" ? #"{"keys": "none"}"# : nil
        }
        tested.time.advance(by: 86_399)
        #expect(await verify(token, keys) == nil)
        tested.time.advance(by: 1)
        #expect(await verify(token, keys) == .unavailable)
        tested.made.state.withLock { state in
            (state.isDown, state.status, state.keySet) = (false, 200, nil)
        }
        #expect(await verify(token, keys) == .unavailable, "asked a moment ago")
        tested.time.advance(by: 86_400)
        #expect(await verify(token, keys) == nil)
    }

    @Test("are awaited no longer than a limit, whatever fetches them", .timeLimit(.minutes(1)))
    func areWaitedForNoLonger() async throws {
        var intervals = IssuerKeys.Intervals()
        intervals.answer = .milliseconds(10)
        let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let keys = IssuerKeys(every: intervals) {
            // Not even when it is cancelled.
            await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
            return Data()
        }
        #expect(await verify(try token(try await MadeKey("ES256", id: "one")), keys) == .unavailable)
        try #require(waiting.withLock { $0 }).resume()
    }

    @Test("are not found if a set has two with one ID, only keys of other kinds, or none") func areNone() async throws {
        let key = try await MadeKey("ES256", id: "one")
        let token = try token(key)
        func keys(_ set: [[String: String]]) async throws -> IssuerKeys {
            try await IssuerKeys(JSONSerialization.data(withJSONObject: ["keys": set]))
        }
        #expect(await verify(token, try await keys([key.published])) == nil)
        // Listed twice, it is still one key.
        let again = key.published.filter { $0.key != "alg" }.merging(["use": "sig"]) { $1 }
        #expect(await verify(token, try await keys([key.published, again])) == nil)
        let other = try await MadeKey("ES256", id: "one")
        let changed: [[[String: String]]] = [
            [], [key.published, other.published], [key.published, again, other.published],
            [key.published.merging(["use": "enc"]) { $1 }],
            [key.published.merging(["alg": "ES512"]) { $1 }], [key.published.merging(["crv": "P-384"]) { $1 }],
            [key.published.merging(["x": ""]) { $1 }], [["kty": "oct", "kid": "one", "k": "AAAA"]],
            [["kty": "RSA", "kid": "one"]],
        ]
        for set in changed { #expect(await verify(token, try await keys(set)) == .unknownKey, "\(set)") }
        // An unreadable key is skipped, and the others are not.
        #expect(await verify(token, try await keys([["kty": "new"], [:], key.published])) == nil)
        for text in ["", "[]", "{}", #"{"keys": 7}"#] {
            await #expect(throws: IssuerKeysError.self) { try await IssuerKeys(Data(text.utf8)) }
        }
    }
}
