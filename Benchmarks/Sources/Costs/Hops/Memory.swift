import ArgumentParser
import CCosts
import HopCases
import MultiIdentity

/// Weighs work that waits, and identities.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Weighs work that has been handed over and waits, and identities, in bytes each.",
        discussion: "One case a process: what an earlier one left in Dispatch's caches would weigh nothing."
    )

    @Argument(help: "The case, such as async/raw; or identities.")
    var name: String

    @Option(help: "How many of them.")
    var size = 1_000_000

    func run() throws {
        if name == "identities" { return weighIdentities() }
        guard let hop = HopCase.all.first(where: { $0.name == name && $0.isTimed }) else {
            throw ValidationError("No case that can wait is \"\(name)\".")
        }
        let parts = hop.parts()
        hop.binding.around {
            parts.hold()
            parts.enqueue(1)
            let before = bytes_in_use()
            parts.enqueue(size)
            print("\(name): \((bytes_in_use() - before) / size) bytes each")
            parts.drain()
        }
    }

    private func weighIdentities() {
        let before = bytes_in_use()
        var identities = Optional((0..<size).map { try? Identity("user-\(1_000_000 + $0)@contoso.com") })
        for identity in identities?.suffix(1_000) ?? [] {
            withIdentity(identity) { precondition(Identity.current == identity) }
        }
        let alive = bytes_in_use() - before
        identities = nil
        print("identities: \(alive / size) bytes each; \(bytes_in_use() - before) left of all when they are gone")
    }
}
