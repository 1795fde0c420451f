import ArgumentParser
import MultiIdentity

@main
struct HopCost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hop-cost",
        abstract: "Runs one way to hand work over, for a tool to count its instructions and allocations."
    )

    @Flag(help: "List the cases, one a line.")
    var list = false

    @Argument(help: "The case.")
    var name: String?

    @Option(help: "How many hops.")
    var hops = 10_000

    func run() throws {
        if list {
            for hop in HopCase.all { print(hop.name) }
            return
        }
        guard let hop = HopCase.all.first(where: { $0.name == name }) else {
            throw ValidationError("There is no case \"\(name ?? "")\"; --list lists them.")
        }
        if hop.isBound {
            try withIdentity(Identity("ada@contoso.com")) {
                Handwritten.$user.withValue(Handwritten.User(name: "ada@contoso.com")) { hop.run(hops) }
            }
        } else {
            hop.run(hops)
        }
    }
}
