import ArgumentParser
import CBytesInUse
import HopCases
import MultiIdentity

/// Weighs work that waits, in a process of its own: what an earlier run left in Dispatch's caches would weigh nothing.
struct PendingMemory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory-of-pending",
        abstract: "Weighs pieces of work that have been handed over and wait."
    )

    @Argument(help: "The case, as async/raw.")
    var name: String

    @Option(help: "How many pieces of work wait.")
    var size = 1_000_000

    func run() throws {
        guard let hop = HopCase.all.first(where: { $0.name == name && $0.isTimed }) else {
            throw ValidationError("No case that can wait is \"\(name)\".")
        }
        let parts = hop.parts()
        var bytes = 0
        hop.binding.around {
            parts.hold()
            parts.enqueue(1)
            let before = bytes_in_use()
            parts.enqueue(size)
            bytes = bytes_in_use() - before
            parts.drain()
        }
        try printJSON(["case": name, "size": "\(size)", "bytes": "\(bytes)"])
    }
}

/// Weighs identities, and what is left of them when they are gone.
struct IdentityMemory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory-of-identities",
        abstract: "Weighs identities, and what is left when they are gone."
    )

    @Option(help: "How many identities.")
    var size = 1_000_000

    func run() throws {
        let before = bytes_in_use()
        var identities = Optional((0..<size).map { try? Identity("user-\(1_000_000 + $0)@contoso.com") })
        for identity in identities?.suffix(1_000) ?? [] {
            withIdentity(identity) { precondition(Identity.current == identity) }
        }
        let alive = bytes_in_use()
        identities = nil
        try printJSON(["size": size, "alive": alive - before, "left": bytes_in_use() - before])
    }
}
