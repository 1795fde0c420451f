import Dispatch
import MultiIdentityDiagnostics
import Testing

@testable import MultiIdentity

@Suite("The list of running work") struct RunningWorkTests {
    private let eve: Identity

    init() throws { eve = try Identity("eve-\(UInt64.random(in: 0 ... .max))@contoso.com") }

    private func mine(_ all: [RunningWork] = RunningWork.all) -> [RunningWork] { all.filter { $0.identity == eve } }

    @Test("shows scopes and handed-over work while they run, and not after", .rule("7.5"))
    func while_() async {
        let eve = eve
        let (inScope, inWork) = await ProcessWideSwitch.exclusively(turning: { RunningWork.isRecorded = $0 }) {
            return await withCheckedContinuation { continuation in
                withIdentity(eve, fileID: "App/Handler.swift", line: 12) {
                    let inScope = self.mine()
                    let work: @Sendable () -> Void = { continuation.resume(returning: (inScope, self.mine())) }
                    IdentityQueue(label: "mail").async(execute: work, fileID: "App/Mail.swift", line: 40)
                }
            }
        }
        #expect(inScope.count == 1)
        #expect(inScope.first?.boundary == nil)
        #expect(inScope.first?.site?.description == "App/Handler.swift:12")
        #expect(inScope.first?.isInTask == true)
        let work = inWork.first { $0.boundary == .async }
        #expect(work?.place == "mail")
        #expect(work?.hops == 1)
        #expect(work?.isInTask == false)
        #expect(work?.description.contains("async on \"mail\", captured at App/Mail.swift:40; thread ") == true)
        #expect(inScope.first?.description.contains("scope opened at App/Handler.swift:12; thread ") == true)
        // Its scope also ends some time after the work has reported.
        while !mine().isEmpty { await Task.yield() }
    }

    @Test("shows asynchronous scopes and restores, across suspensions, and not after an error", .rule("7.5"))
    func asynchronous() async {
        struct Refused: Error {}
        await ProcessWideSwitch.exclusively(turning: { RunningWork.isRecorded = $0 }) {
            try? await withIdentity(eve) { () async throws -> Void in
                await Task.yield()
                #expect(mine().count == 1)
                await IdentitySnapshot.capture().restore { () async -> Void in
                    await Task.yield()
                    #expect(mine().count == 2)
                }
                #expect(
                    RunningWork.report.contains("\(eve): scope opened at MultiIdentityTests/RunningWorkTests.swift")
                )
                throw Refused()
            }
            #expect(mine().isEmpty)
        }
    }

    @Test("does not show a snapshot that was made for an identity, which no scope ends")
    func madeUp() async {
        await ProcessWideSwitch.exclusively(turning: { RunningWork.isRecorded = $0 }) {
            let snapshot = IdentitySnapshot(of: eve)
            #expect(mine().isEmpty)
            snapshot.restore { #expect(mine().count == 1) }
            #expect(mine().isEmpty)
        }
    }

    @Test(
        "retains nothing of its identity once the work has ended",
        .rule("7.5"),
        .timeLimit(.minutes(1)),
        arguments: [false, true]
    )
    func letsGo(_ revocationIsOn: Bool) async throws {
        struct Seen: Sendable {
            weak let record: IdentityRecord?
        }
        let seen = try await ProcessWideSwitch.exclusively {
            let wasOn = IdentityRevocation.isOn
            (RunningWork.isRecorded, IdentityRevocation.isOn) = (true, revocationIsOn)
            defer { (RunningWork.isRecorded, IdentityRevocation.isOn) = (false, wasOn) }
            let identity = try Identity("gone-\(UInt64.random(in: 0 ... .max))@contoso.com")
            withIdentity(identity) {}
            IdentitySnapshot(of: identity).restore {}
            await withCheckedContinuation { ended in
                withIdentity(identity) { IdentityQueue(label: "mail").async { ended.resume() } }
            }
            while RunningWork.all.contains(where: { $0.identity == identity }) { await Task.yield() }
            return Seen(record: identity.spelling.record)
        }
        while seen.record != nil, !Task.isCancelled { await Task.yield() }  // the worker releases it after that
        #expect(seen.record == nil)
    }

    @Test("is empty while recording is off", .rule("7.5"))
    func off() async {
        await ProcessWideSwitch.exclusively {
            withIdentity(eve) { #expect(mine().isEmpty) }
            if RunningWork.all.isEmpty { #expect(RunningWork.report == "running work is not recorded") }
        }
    }
}
