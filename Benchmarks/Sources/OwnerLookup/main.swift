import MultiIdentity
import MultiIdentityPolicy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// Asks for the owner of one file so many times, for `owner-lookup` to count what that takes:
// `OwnerLookup attributes|index|bare FOLDER COUNT`. The folder is a new one, of the caller's; `bare` makes the system call
// that attributes need, and nothing else.

func fail(_ message: String) -> Never {
    print(message)
    exit(2)
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[3]) else {
    fail("usage: OwnerLookup attributes|index|bare FOLDER COUNT")
}
let folder = arguments[2]
let name = "tenants/contoso/report.txt"

do {
    let owner = try Identity("ada@contoso.com")
    let records: OwnerRecords = arguments[1] == "index" ? .index(in: "\(folder)/index") : .attributes
    _ = mkdir("\(folder)/root", 0o700)
    let files = try IdentityFileSystem(root: "\(folder)/root", records: records)
    try files.makeDirectory("tenants")
    try files.makeDirectory("tenants/contoso")
    try withIdentity(owner) { try files.replace(name, with: [1]) }
    if arguments[1] == "bare" {
        let path = "\(folder)/root/\(name)"
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_000, alignment: 1)
        // By its name, since the library's module leaves its header out.
        typealias GetAttribute =
            @convention(c) (
                UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
            ) -> Int
        guard let symbol = dlsym(nil, "lgetxattr") else { fail("there is no lgetxattr") }
        let lgetxattr = unsafeBitCast(symbol, to: GetAttribute.self)
        for _ in 0..<count where lgetxattr(path, "user.multi-identity.owner", bytes.baseAddress, 2_000) <= 0 {
            fail("there is no such attribute")
        }
    } else {
        for _ in 0..<count where try files.owner(of: name) != .identity(owner) { fail("it is another's") }
    }
} catch { fail("\(error)") }
