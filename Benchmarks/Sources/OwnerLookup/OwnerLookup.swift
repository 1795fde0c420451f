import ArgumentParser
import MultiIdentity
import MultiIdentityFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@main
struct OwnerLookup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner-lookup-cost",
        abstract: "Asks for the owner of one file so many times, for Benchmarks/owner-lookup to count what that takes."
    )

    enum Way: String, CaseIterable, ExpressibleByArgument { case attributes, index, bare }

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
        let files = try IdentityFileSystem(
            root: "\(folder)/root",
            records: way == .index ? .index(in: "\(folder)/index") : .attributes
        )
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
