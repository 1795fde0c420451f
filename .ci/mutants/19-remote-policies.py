# Policies from a service.

FOLDER = "Sources/MultiIdentityManagement/Policies/"
POLICIES = "RemotePoliciesTests"

mutant(
    "policies-signed-by-nobody", rule="19.1", breaks="A text that nobody signed is in force.",
    file=FOLDER + "RemotePolicies.swift", within="func verified", replace=("(try? verify(signature)) == true", "(try? verify(signature)) != nil"),
    tests=POLICIES,
)
mutant(
    "read-before-verified", rule="19.1", breaks="A text is read, and told of, before its signature was looked at.",
    file=FOLDER + "RemotePolicies.swift", within="func verified",
    replace=("        let signature = try PolicySignature(field, of: text)\n", "        let signature = try PolicySignature(field, of: text)\n        guard (try? PolicySet(json: text)) != nil else { throw PolicyServiceError(.malformedPolicies, \"It is none.\") }\n"),
    tests=POLICIES,
)
mutant(
    "signed-before-all-the-same", rule="19.1", breaks="Somebody on the way brings policies of before into force.",
    file=FOLDER + "RemotePolicies+Following.swift", within="private func accept", replace=("before > signature.issuedAt ?? .min", "before > signature.issuedAt ?? .max"),
    tests=POLICIES,
)
mutant(
    "critical-passed-over", rule="19.1", breaks="What the signer says has to be understood is passed over.",
    file=FOLDER + "PolicySignature.swift", within="init", replace=('critical == (isPlain ? ["b64"] : [])', '!isPlain || critical.contains("b64")'),
    tests="PolicySignatureTests",
)
mutant(
    "earlier-question-counts", rule="19.2", breaks="The answer of an earlier question takes the place of a later one's.",
    file=FOLDER + "RemotePolicies+Following.swift", within="private func accept", replace=("guard number > state.answered else { return (false, false, false) }", ""),
    tests=POLICIES,
)
mutant(
    "failure-at-once-again", rule="19.2", breaks="A service that fails is asked again and again without a longer pause.",
    file=FOLDER + "RemotePolicies+Following.swift", within="private func follow", replace=("(1 << min(failures, 20))", "1"),
    tests=POLICIES,
)
mutant(
    "copy-not-verified", rule="19.3", breaks="Who can write to the store sets policies.",
    file=FOLDER + "RemotePolicies.swift", within="private func load",
    replace=("let (policies, signature) = try verified(Array(copy.text.utf8), copy.signature)", "guard let policies = try? PolicySet(json: copy.text.utf8), let signature = try? PolicySignature(copy.signature, of: Array(copy.text.utf8)) else { return }"),
    tests=POLICIES,
)
mutant(
    "point-widens", rule="19.5", breaks="A decision point allows what the policies here refuse.",
    file=FOLDER + "PolicyDecisionPoint.swift", within="public func decide", replace=("guard here.isAllowed else { return here }", ""),
    tests="PolicyDecisionPointTests",
)
mutant(
    "no-answer-allows", rule="19.5", breaks="A decision point that cannot be reached allows.",
    file=FOLDER + "PolicyDecisionPoint.swift", within="public func decide", replace=("let decision = PolicyDecision(false,", "let decision = PolicyDecision(true,"),
    tests="PolicyDecisionPointTests",
)
mutant(
    "too-old-stays-open", rule="19.4", breaks="Policies that are too old stay in force where they are to be closed.",
    file=FOLDER + "RemotePolicies+Following.swift", within="func checkAge", replace=("options.whenTooOld == .closed, ", "options.whenTooOld == .warn, "),
    tests=POLICIES,
)
mutant(
    "never-open-again", rule="19.4", breaks="Policies that were closed stay so though the service has confirmed them.",
    file=FOLDER + "RemotePolicies+Following.swift", within="private func confirm", drop="reopen()",
    tests=POLICIES,
)

REQUESTS = "Sources/MultiIdentityManagementNetworking/ServiceRequests.swift"
mutant(
    "redirect-followed", rule="19.6", breaks="A question about identities goes where somebody on the way sends it.",
    file=REQUESTS, within="willPerformHTTPRedirection", replace=("completionHandler(nil)\n        answers.withLock { $0[task.taskIdentifier] }?.end(ServiceStatusError(status: response.statusCode))\n        task.cancel()", "completionHandler(request)"),
    tests="ServiceTests",
)
mutant(
    "any-status-believed", rule="19.6", breaks="The page of a proxy that refuses is taken for a decision.",
    file="Sources/MultiIdentityManagementNetworking/URLSessionTransport.swift", within="public func evaluate", replace=("answer.statusCode == 200", "answer.statusCode > 0"),
    tests="ServiceTests",
)
mutant(
    "read-without-end", rule="19.6", breaks="An answer of any length is read into memory.",
    file=REQUESTS, within="func add", replace=("state.body.count > limit", "state.body.count > .max - limit"),
    tests="ServiceTests",
)
