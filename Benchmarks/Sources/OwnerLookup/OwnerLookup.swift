import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityFiles

@main
struct OwnerLookup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner-lookup-cost",
        abstract: "Asks for the owner of one file so many times, for Benchmarks/owner-lookup to count what that takes.",
        discussion: """
            With `open`, only opens the index that is in the folder; with `opening`, before and after it was written anew.
            """
    )

    enum Way: String, CaseIterable, ExpressibleByArgument { case attributes, index, blocks, bare, open, opening }

    @Argument(help: "Where the owner is kept; bare makes the system call that attributes need, and nothing else.")
    var way: Way

    @Argument(help: "A new folder.")
    var folder: String

    @Argument(help: "How often.")
    var count: Int

    func run() throws {
        let name = "tenants/contoso/report.txt"
        let owner = try Identity("ada@contoso.com")
        _ = mkdir("\(folder)/root", 0o700)
        if way == .opening { return try openTwice(name, owner) }
        let files = try open()
        if way == .open { return }
        try files.makeDirectory("tenants")
        try files.makeDirectory("tenants/contoso")
        try withIdentity(owner) { try files.replace(name, with: [1]) }
        if way == .bare {
            try askBarely("\(folder)/root/\(name)")
        } else {
            for _ in 0..<count where try files.owner(of: name) != .identity(owner) {
                throw ValidationError("The owner is another.")
            }
        }
    }

    private func open() throws -> IdentityFileSystem {
        try IdentityFileSystem(
            root: "\(folder)/root",
            records: way == .attributes || way == .bare ? .attributes : .index(in: "\(folder)/index")
        )
    }

    /// Prints in seconds what the index that is there takes to open, to be written anew, and to open again, and be asked.
    private func openTwice(_ name: String, _ owner: Identity) throws {
        let clock = ContinuousClock()
        func seconds(_ body: () throws -> Void) rethrows -> String { "\(try clock.measure(body) / .seconds(1))" }
        var files: IdentityFileSystem?
        let first = try seconds { files = try open() }
        try files?.makeDirectory("tenants")
        try files?.makeDirectory("tenants/contoso")
        let writing = try seconds { try withIdentity(owner) { _ = try files?.replace(name, with: [1]) } }
        files = nil
        let again = try seconds { files = try open() }
        let asking = try seconds {
            guard try files?.owner(of: name) == .identity(owner) else { throw ValidationError("The owner is another.") }
        }
        print(first, writing, again, asking)
    }

    private func askBarely(_ path: String) throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_000, alignment: 1)
        // By its name, since the library's module leaves its header out.
        typealias GetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
            ) -> Int
        guard let symbol = dlsym(nil, "lgetxattr") else { throw ValidationError("There is no lgetxattr.") }
        let lgetxattr = unsafeBitCast(symbol, to: GetAttribute.self)
        for _ in 0..<count where lgetxattr(path, "user.multi-identity.owner", bytes.baseAddress, 2_000) <= 0 {
            throw ValidationError("There is no such attribute.")
        }
    }
}
