import HTTPTypes
import MultiIdentity
import Synchronization
import Testing

@testable import SCIMUsers

@Suite("A change of who exists") struct OwedChangeTests {
    private struct Broken: Error {}

    @Test("is acted on after a restart where the process ended between the database and that, and once")
    func isActedOnAfterARestart() async throws {
        let tested = try TestedDirectory()
        let ada = try Identity("ada@contoso.com")
        let attributes = try UserAttributes(["userName": "ada@contoso.com", "active": true])
        // What a request does before the program is notified.
        let user = try await tested.directory.add(attributes)
        _ = try await tested.directory.change(user.id, ifVersion: nil) { _ in nil }
        #expect(tested.told.take().isEmpty)
        let restarted = try TestedDirectory(file: tested.file)
        #expect(try await restarted.service.deliver())
        #expect(restarted.told.take() == [.exists(ada), .left(ada)])
        #expect(try await restarted.service.deliver())
        #expect(restarted.told.take().isEmpty)
    }

    @Test("is kept where acting fails, tried again in its order, and holds nobody else up") func isKept() async throws {
        let isBroken = Mutex(true)
        let (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
        let eve = try Identity("eve@contoso.com")
        let tested = try TestedDirectory { change in
            if change.identity == ada, isBroken.withLock({ $0 }) { throw Broken() }
        }
        try await tested.test { client in
            let answer = try await client.send(.post, "Users", SCIMClient.user("ada@contoso.com"))
            #expect(answer.status == 500, "who sent it has to know")
            #expect(try tested.directory.isActive(ada), "it is kept")
            #expect(!tested.lines.isEmpty && !tested.lines.contains("ada"), "\(tested.lines)")
            _ = try await client.create("bob@contoso.com")
            #expect(tested.told.take() == [.exists(bob)])
            let id = try #require(try await client.list(#"userName sw "ada""#)["Resources"])
            guard case .list(let users) = id, let found = users.first?.object?["id"]?.text else { throw Broken() }
            #expect(try await client.send(.delete, "Users/\(found)").status == 500)
            #expect(try await !tested.service.deliver())
            isBroken.withLock { $0 = false }
            _ = try await client.create("eve@contoso.com")
            #expect(tested.told.take() == [.exists(ada), .left(ada), .exists(eve)])
            #expect(try await tested.service.deliver())
        }
    }

    @Test("waits for the one of the same user before it: who left and came back is not let go last") func waits()
        async throws
    {
        let isBroken = Mutex(true)
        let tries = Mutex<[DirectoryChange]>([])
        let ada = try Identity("ada@contoso.com")
        let tested = try TestedDirectory { change in
            tries.withLock { $0.append(change) }
            if change == .left(ada), isBroken.withLock({ $0 }) { throw Broken() }
        }
        try await tested.test { client in
            let id = try await client.create("ada@contoso.com")
            #expect(try await client.send(.delete, "Users/\(id)").status == 500)
            #expect(try await client.send(.post, "Users", SCIMClient.user("ada@contoso.com")).status == 500)
            #expect(tries.withLock { $0 } == [.exists(ada), .left(ada), .left(ada)])
            isBroken.withLock { $0 = false }
            #expect(try await tested.service.deliver())
            #expect(tested.told.take() == [.exists(ada), .left(ada), .exists(ada)])
        }
    }

    @Test("is acted on before its request is answered, one at a time") func isActedOnOneAtATime() async throws {
        let running = Mutex((now: 0, most: 0))
        let tested = try TestedDirectory { _ in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            for _ in 0..<10 { await Task.yield() }
            running.withLock { $0.now -= 1 }
        }
        try await tested.test { client in
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        let id = try await client.create("user-\(number)")
                        #expect(try await client.send(.delete, "Users/\(id)").status == 204)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(running.withLock { $0.most } == 1)
        let told = tested.told.take()
        #expect(told.count == 40)
        for number in 0..<20 {
            let user = try Identity("user-\(number)")
            #expect(told.filter { $0.identity == user } == [.exists(user), .left(user)])
        }
    }
}
