import ArgumentParser
import CCosts
import HopCases
import MultiIdentity

/// Measures the memory of waiting work, and of identities.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the memory of waiting work and of identities, in bytes each.",
        discussion: "Run one case per process: memory from Dispatch's caches would not be counted."
    )

    @Argument(help: "The case, such as async/raw; or identities.")
    var name: String

    @Option(help: "The number of them.")
    var size = 1_000_000

    func run() throws {
        if name == "identities" { return weighIdentities() }
        guard let hop = HopCase.all.first(where: { $0.name == name && $0.isTimed }) else {
            throw ValidationError("Unknown case, or one that cannot wait: \"\(name)\".")
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
