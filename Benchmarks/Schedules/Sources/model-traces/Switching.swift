import Dispatch
import MultiIdentity
import MultiIdentityPolicy
import Synchronization

/// Switches that the program and the runtime ask for, cancellations, whiles under nobody, a revocation and a direct setting.
final class Switching: Sendable {
    /// The number of the switch or stay that this code belongs to.
    @TaskLocal static var number = 99

    private let trace: Trace
    private let names: [Identity]
    private let draw: Mutex<SeededGenerator>
    private let levels = IdentityLevels()
    private let switcher: IdentitySwitcher
    private let delegate: Delegate
    private let group = DispatchGroup()

    init(seed: UInt64) throws {
        // Names of its own, since names stay revoked.
        let names = [try Identity("ada-\(seed)@example.com"), try Identity("bo-\(seed)@example.com")]
        let (trace, draw) = (Trace(of: names, pieces: 0), SeededGenerator(seed: seed))
        self.names = names
        self.trace = trace
        self.draw = Mutex(draw)
        delegate = Delegate(trace, draw)
        let check = LaunchCheck("drawn") { _ in
            await Task.yield()
            // Drawn from the switch's number alone, so that no check's answer depends on another's.
            var draw = SeededGenerator(seed: seed + UInt64(Self.number))
            let passes = draw.below(3) > 0
            trace.add("K", Self.number, passes ? 1 : 0)
            return passes ? .passed : .failed("drawn")
        }
        switcher = try IdentitySwitcher(accounts: TracedAccounts(levels: levels, trace: trace), checks: [check])
        switcher.delegate = delegate
        // That a direct setting is refused is one of the events.
        levels.diagnostics.response = .report { _ in }
    }

    func run() async -> String {
        let tasks = (0..<4).map { number in
            group.enter()
            return Task {
                await Self.$number.withValue(number) { await number < 3 ? asks(number) : requires(number) }
                self.group.leave()
            }
        }
        for number in 20..<22 {
            group.enter()
            Task {
                await Self.$number.withValue(number) { await stays(number) }
                self.group.leave()
            }
        }
        DispatchQueue.global().async(group: group) {
            let number = self.drawn(4)
            self.trace.add("C", number)
            tasks[number].cancel()
        }
        if drawn(2) == 0 {
            DispatchQueue.global().async(group: group) {
                IdentityRevocation.revoke(self.names[0], for: .signedOut)
                self.trace.add("X", 0, self.level)
            }
        }
        DispatchQueue.global().async(group: group) {
            let whom = [0, 1, 9][self.drawn(3)]
            self.levels.ui = self.identity(whom)
            self.trace.add("W", whom, self.level)
        }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
        IdentityRevocation.readmit(names[0])
        return trace.line
    }

    private func drawn(_ limit: Int) -> Int { draw.withLock { $0.below(limit) } }

    private func identity(_ number: Int) -> Identity? { number == 0 ? nil : number == 9 ? .nobody : names[number - 1] }

    private var level: Int { trace.number(of: levels.ui) }

    private func asks(_ number: Int) async {
        let whom = [0, 1, 1, 2, 9][drawn(5)]
        trace.add("Q", number, whom)
        let result = await switcher.switchUI(to: identity(whom))
        trace.add("R", number, result == .success ? 1 : 2, level)
    }

    private func requires(_ number: Int) async {
        let whom = [1, 9][drawn(2)]
        trace.add("q", number, whom)
        let result = await switcher.requireSwitch(to: identity(whom), reason: "\(number)")
        trace.add("R", number, result == .success ? 1 : 2, level)
    }

    private func stays(_ number: Int) async {
        await switcher.underNobody {
            trace.add("U", number, level)
            await Task.yield()
        }
        trace.add("V", number, level)
    }

    private struct TracedAccounts: SwitchableAccounts {
        let levels: IdentityLevels
        let trace: Trace

        func isManaged(_ identity: Identity) -> Bool { !identity.isNobody }

        func switchRefusal(of identity: Identity) -> String? {
            trace.add("L", Switching.number)
            return nil
        }
    }

    /// Agrees, refuses, or lets go of the request.
    private final class Delegate: SwitchDelegate {
        private let trace: Trace
        private let draw: Mutex<SeededGenerator>

        init(_ trace: Trace, _ draw: SeededGenerator) {
            self.trace = trace
            self.draw = Mutex(draw)
        }

        func switchIsRequired(_ request: SwitchRequest) {
            let answer = draw.withLock { $0.below(4) }
            trace.add("G", Int(request.reason.text) ?? 99, answer == 0 ? 0 : 1)
            if answer > 0 { request.succeed() } else { request.fail("drawn") }
        }
    }
}
