import ArgumentParser
import MultiIdentity
import MultiIdentityPolicy

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Check policies.",
        subcommands: [PolicyCheck.self]
    )
}

struct PolicyCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a policy file, and what it decides.",
        discussion: """
            Without a question, checks that the file is valid. With one, prints the decision and its rule, and exits with 0 \
            if it is allowed and with 1 if it is refused.

            A place is local, device, other, service:NAME or space:IDENTITY.
            """
    )

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("The owner of the data; without it, work that has no identity.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var identity: NamedIdentity?

    @Flag(help: "Refuse work that needs an owner and has none.")
    var closed = false

    @Option(
        help: ArgumentHelp("May its data be saved there?", valueName: "place"),
        completion: PlaceArgument.completion,
        transform: PlaceArgument.init
    )
    var saveTo: PlaceArgument?

    @Option(
        help: ArgumentHelp("May data from there be opened as its own?", valueName: "place"),
        completion: PlaceArgument.completion,
        transform: PlaceArgument.init
    )
    var openFrom: PlaceArgument?

    @Option(
        help: ArgumentHelp("May its data be shared with this identity?", valueName: "name"),
        transform: NamedIdentity.init
    )
    var shareWith: NamedIdentity?

    @Flag(help: "May its data be logged?")
    var log = false

    @Flag(help: "May its data be sent out?")
    var send = false

    @Option(
        help: ArgumentHelp(
            "May a notification show this much of its data: withoutDetails or everything?",
            valueName: "content"
        ),
        completion: .list(NotificationContent.allCases.map(\.description)),
        transform: { text in
            guard let content = NotificationContent.allCases.first(where: { $0.description == text }) else {
                throw ValidationError("A notification shows nothing, withoutDetails or everything.")
            }
            return content
        }
    )
    var notify: NotificationContent?

    @Flag(help: "May other programs act for it?")
    var automate = false

    @Option(
        help: ArgumentHelp("The identity whose account is used to reach the place.", valueName: "name"),
        transform: NamedIdentity.init
    )
    var account: NamedIdentity?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let questions = [saveTo != nil, openFrom != nil, shareWith != nil, log, send, notify != nil, automate]
        guard questions.count(where: \.self) <= 1 else {
            throw ValidationError(
                "Pass only one question: --save-to, --open-from, --share-with, --log, --send, --notify or --automate."
            )
        }
        guard account == nil || saveTo != nil || openFrom != nil else {
            throw ValidationError("Use --account only with --save-to or --open-from.")
        }
    }

    func run() async throws {
        try await Reporter.run("policy check", output) { reporter in
            let file = try policy.file()
            let accounts = Accounts(
                mode: .multi,
                policies: file,
                withoutOwner: closed ? .refused : .allowed,
                levels: IdentityLevels()
            )
            guard let question = try question else {
                let count = file.current.policies.count
                let reason = "in order, \(count) \(count == 1 ? "policy" : "policies")"
                return try reporter.report(Entry(path: file.path, reason: reason))
            }
            let decision = accounts.decide(question, for: identity?.identity)
            try reporter.report(
                Entry(
                    allowed: decision.isAllowed,
                    identity: identity?.identity.name,
                    rule: decision.rule.description,
                    policyOwner: decision.policyOwner?.name,
                    reason: decision.reason
                )
            )
            if !decision.isAllowed { reporter.answerNo() }
        }
    }

    private var question: PolicyQuestion? {
        get throws {
            if let saveTo { return .save(to: try saveTo.place(account: account?.identity)) }
            if let openFrom { return .open(from: try openFrom.place(account: account?.identity)) }
            if let shareWith { return .share(with: shareWith.identity) }
            if log { return .log }
            if send { return .sendOut }
            if let notify { return .notify(showing: notify) }
            return automate ? .automate : nil
        }
    }
}

/// A place as it is named on the command line: `local`, `device`, `other`, `service:NAME`, `space:IDENTITY`.
struct PlaceArgument: Sendable {
    private let kind: DataPlace.Kind

    static let completion = CompletionKind.list(["local", "device", "other", "service:", "space:"])

    /// - Throws: A `ValidationError`, which says what is wrong with it.
    init(_ argument: String) throws {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        do {
            switch (parts[0], parts.count == 2 ? parts[1] : nil) {
            case ("local", nil): kind = .localStorage
            case ("device", nil): kind = .deviceInput
            case ("other", nil): kind = .other
            case ("service", let name?): kind = .service(try ServiceName(name))
            case ("space", let name?): kind = .space(try Identity(name))
            default: throw ValidationError("A place is local, device, other, service:NAME or space:IDENTITY.")
            }
        } catch let error as IdentityError {
            throw ValidationError(error.message)
        } catch let error as PolicyError {
            throw ValidationError(error.message)
        }
    }

    /// The place, reached with an account or none.
    func place(account: Identity?) throws -> DataPlace {
        guard let account else { return try DataPlace(kind) }
        return try DataPlace(kind, account: .identity(account))
    }
}
