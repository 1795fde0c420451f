import ArgumentParser
import Configuration
import Foundation
import TenantServer

/// Issues tokens.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print tokens, a line each: the user, a tab, the token.",
        discussion: "They are signed by TENANT_JWT_SECRET: its holder can be anybody."
    )

    @Argument(help: "The users' names.")
    var users: [String] = []

    @Option(help: "This many users more: user0001@contoso.com and so on.")
    var count = 0

    @Option(help: "What the tokens allow besides the user's own work, as operator.")
    var scope: String?

    @Option(help: "For how many seconds they are good; --lifetime=-1 makes one that has expired.")
    var lifetime = 3_600

    @Option(help: "The file to write, instead of the standard output; only its owner can read it.")
    var output: String?

    func validate() throws {
        guard (0...10_000).contains(count) else { throw ValidationError("--count is a number from 0 to 10000.") }
        guard !users.isEmpty || count > 0 else { throw ValidationError("Name a user, or give --count.") }
    }

    func run() async throws {
        let settings = try await ServerSettings(reader: ConfigReader(provider: EnvironmentVariablesProvider()))
        var lines = ""
        for user in users + (0..<count).map({ "user" + String($0 + 10_000).dropFirst() + "@contoso.com" }) {
            let token = try await settings.authority.token(for: user, scope: scope, lifetime: .seconds(lifetime))
            lines += "\(user)\t\(token)\n"
        }
        guard let output else { return print(lines, terminator: "") }
        guard
            FileManager.default.createFile(
                atPath: output,
                contents: Data(lines.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw ValidationError("\(output) cannot be written.") }
    }
}
