# A mutant for each rule of these sections of Docs/Semantics.md; .ci/check-mutants says what the words mean.

# -- 8 Accounts and policies --

mutant("nobody-managed", rule="8.1", breaks="Nobody is managed if a source names nobody.",
       file="MultiIdentityPolicy/Accounts/AccountsView+Standing.swift", within="func standing",
       drop="if identity.isNobody { return .unmanaged }")
mutant("known-and-unlimited", rule="8.1", breaks="An account that is registered and not enrolled has no limits.",
       file="MultiIdentityPolicy/Accounts/AccountsView+Standing.swift", within="func standing",
       drop="if registered.contains(identity) { return .withoutPolicy(.notEnrolled) }")
mutant("second-user-let-in", rule="8.2", breaks="If one user is managed, a second one is enrolled too.",
       file="MultiIdentityPolicy/Accounts/AccountsState.swift", within="func enter",
       drop="if mode.managesOne, let other = members.enrolled.first { return .another(other) }")
mutant("own-policy-alone", rule="8.3", breaks="The policy of the identity whose space data goes to is not checked.",
       file="MultiIdentityPolicy/Accounts/AccountsView+Deciding.swift", within="func decide",
       replace=("question.otherIdentity == identity ? nil : question.otherIdentity", "Identity?.none"))
mutant("empty-list-allows-all", rule="8.4", breaks="An empty list of allowed accounts does not limit.",
       file="MultiIdentityPolicy/Policies/PolicySet.swift", within="func allows",
       replace=("identity.isAmong(allowed)", "allowed.isEmpty || identity.isAmong(allowed)"))
mutant("closed-for-the-unset-alone", rule="8.5", breaks="If work without an owner is refused, nobody's work is still allowed.",
       file="MultiIdentityPolicy/Accounts/AccountsView+Deciding.swift", within="func decide",
       replace=("|| identity == .nobody", ""))
mutant("broken-file-empties-policies", rule="8.6", breaks="A broken file leaves no policies in force.",
       file="MultiIdentityPolicy/Policies/Watching/PolicyFile.swift", within="func load",
       replace=("problem = error", "problem = error ; policies = PolicySet()"))
mutant("refusals-not-audited", rule="8.7", breaks="No auditor is notified of a refusal.",
       file="MultiIdentityPolicy/Accounts/Accounts+Deciding.swift", within="func decide", replace=("!decision.isAllowed", "false"))
mutant("audit-chain-forgets", rule="8.8", breaks="The digest of a line does not include the previous one.",
       file="MultiIdentityProtection/Auditing/AuditLine.swift", within="func chain", replace=("chain + text", "Array(text)"))
mutant("opened-in-the-identitys-name", rule="8.9", breaks="A URL is opened as the identity that requests it.",
       file="MultiIdentityPolicy/Accounts/Accounts+Opening.swift", within="public func opening",
       replace=("withIdentity(.nobody, operation)", "withIdentity(identity, operation)"))

# -- 9 Switching the UI identity --

mutant("guard-lets-pass", rule="9.1", breaks="The UI level is set to a managed identity directly.",
       file="MultiIdentity/Levels/UIGuard.swift", within="func letsPass", replace=("!needsSwitch(identity)", "true"))
mutant("access-without-end", rule="9.2", breaks="Launch checks never run again, whatever the interval.",
       file="MultiIdentityPolicy/Switching/IdentitySwitcher+Access.swift", within="func isAccessOver",
       replace=("$0.elapsed() >= interval", "$0.elapsed() < .zero"))
mutant("throwing-check-passes", rule="9.2", breaks="A check that throws counts as passed.",
       file="MultiIdentityPolicy/Switching/IdentitySwitcher+Checks.swift", within="func verdict", replace=(".failed(…)", ".passed"))
mutant("bound-to-another-on-main", rule="9.3", breaks="Code on main that is bound to another identity may request a switch.",
       file="MultiIdentity/Levels/IdentityLevels+UIGuard.swift", within="func identityAtOdds",
       replace=("mainProbe()", "!mainProbe()"))
mutant("side-by-side", rule="9.4", breaks="Switches do not wait for one another.",
       file="MultiIdentityPolicy/Switching/SwitchTurns.swift", within="func line", replace=("!state.isTaken", "true"))
mutant("delegate-taken-at-its-word", rule="9.5", breaks="A switch that the delegate agreed to is not made.",
       file="MultiIdentityPolicy/Switching/IdentitySwitcher+Delegate.swift", within="func switchThroughDelegate",
       replace=("await takeTurn(…)", "answer"))
mutant("switches-the-levels-of-the-process", rule="9.6", breaks="A switcher switches other levels than its accounts'.",
       file="MultiIdentityPolicy/Switching/IdentitySwitcher.swift", within="init(",
       replace=("accounts.levels", "IdentityLevels.shared"))
mutant("nobodys-file-unsets", rule="9.7", breaks="A presented file of nobody unsets the UI level.",
       file="MultiIdentityFiles/Files/IdentitySwitcher+Files.swift", within="func switchUI", replace=("?? .nobody", ""))
mutant("nobody-for-a-while-undoes-switches", rule="9.8",
       breaks="The end of underNobody restores the earlier identity over a later switch.",
       file="MultiIdentity/Levels/UILevel.swift", within="func bringBack", drop="guard state.mark == mark else { return false }")

# -- 11 Owners of files --

mutant("owner-of-the-ui", rule="11.1", breaks="A new file belongs to the identity of the UI level.",
       file="MultiIdentityFiles/Files/IdentityFileSystem+Making.swift", within="func creator", replace=("for: .files", "for: .ui"))
mutant("copy-is-the-copiers", rule="11.2", breaks="A copy belongs to the identity that copies.",
       file="MultiIdentityFiles/Files/IdentityFileSystem+Copying.swift", within="func copy",
       replace=("owner = if let kept { kept } else { try there.creator(target) }", "owner = try there.creator(target)"))
mutant("replacement-keeps-the-owner", rule="11.3", breaks="Replacing a file does not change its owner.",
       file="MultiIdentityFiles/Files/IdentityFileSystem+Replacing.swift", within="private func owner",
       replace=("if !keepsOwner", "if !keepsOwner, old.size == 0"))
mutant("inode-is-enough", rule="11.4", breaks="A file made by other means has the owner of the file whose inode it reuses.",
       file="MultiIdentityFiles/Storage/FileKey.swift", within="init(_ status",
       replace=("hasBirthTimes ? status.birthTime", "hasBirthTimes ? 0"))
mutant("refused-record-is-no-news", rule="11.4",
       breaks="A record that could not be undone counts for other processes, but not for its writer.",
       file="MultiIdentityFiles/Storage/SharedRecordLog.swift", within="func add", replace=("isGone ? end : 0", "next"))
mutant("goes-up", rule="11.5", breaks="A path may contain ..",
       file="MultiIdentityFiles/Files/RootedPath.swift", within="init(_ path",
       replace=("contains(where: {…})", "first.map({…}) == true"))
mutant("half-a-file", rule="11.6", breaks="A file gets its name before its bytes are on the disk.",
       file="MultiIdentityFiles/Storage/AtomicReplacement.swift", within="func commit", drop="try file.synchronize()")

# -- 12 Data protection --

mutant("segments-counted-in-three-bytes", rule="12.1",
       breaks="The number of a segment loses its first byte, so that nonces repeat in a long message.",
       file="MultiIdentityProtection/Protection/SegmentNonce.swift", within="init(prefix",
       replace=("| UInt64(…)", ""), tests="SegmentNonceTests")
mutant("claims-of-managed-believed", rule="12.2", breaks="Plain data may claim to be a managed identity's.",
       file="MultiIdentityProtection/Protection/DataProtection.swift", within="func admitClaim",
       drop="if try isEncrypted(owner) { throw .claimsManaged(owner) }")
mutant("anothers-data-expected", rule="12.3", breaks="Another identity's data pass where an identity's are expected.",
       file="MultiIdentityProtection/Protection/DataProtection+Memory.swift", within="private func unprotect",
       drop="if let expected, expected != owner { throw .otherOwner(owner, expecting: expected) }")
mutant("header-tag-not-compared", rule="12.4",
       breaks="The header's tag is not compared, so that a header can be written without a key.",
       file="MultiIdentityProtection/Protection/DataProtection.swift", within="func open",
       drop="guard Self.areEqual(cipher.headerTag, Array(bytes.part(length..<bytes.count))) else {…}")
mutant("header-not-bound-to-key", rule="12.5", breaks="A message's key does not depend on its header.",
       file="MultiIdentityProtection/Protection/MessageCipher.swift", within="init(",
       replace=("Derivation.message, header", "Derivation.message, []"))
mutant("file-changed-meanwhile", rule="12.6", breaks="A file that was changed or replaced while it was read is overwritten.",
       file="MultiIdentityProtection/Protection/Files/DataProtection+Files.swift", within="private func writeFile",
       drop="guard try old.status() == status else { throw ProtectionError.changed(path) }")
mutant("key-entry-not-bound", rule="12.7", breaks="A wrapped key can be moved to another identity's entry.",
       file="MultiIdentityProtection/Keys/KeyFileEntry.swift", within="func wrapping",
       replace=("id.bytes + Array(…)", "Array(repeating: 0, count: 16)"), tests="AKeyFile|KeysThatAreDestroyed|AMasterKey")

# -- 13 Selective wipe --

mutant("wipe-handler-believed", rule="13.1", breaks="A handler's claim that it removed the files is not verified.",
       file="MultiIdentityProtection/Wipe/WipeSteps.swift", within="func look", drop="tally.visit(storage, .forgottenFiles)")
mutant("revoked-while-writing", rule="13.2", breaks="Admission is not checked again when a file gets its name.",
       file="MultiIdentityFiles/Files/IdentityFileSystem+Making.swift", within="func name", drop="try admit(owner, path.text)")
mutant("wiped-until-the-next-process", rule="13.2", breaks="The next process admits the account of a complete wipe.",
       file="MultiIdentityProtection/Wipe/IdentityWipe.swift", within="func revokeWiped",
       replace=("[JournalFolder.Kind.journal, .report]", "[JournalFolder.Kind.journal]"))
mutant("wipe-keys-though-something-failed", rule="13.3", breaks="Keys are destroyed although the handler or a file failed.",
       file="MultiIdentityProtection/Wipe/WipeSteps.swift", within="func destroyKeys", replace=("tally.failureCount == 0,", ""))
mutant("wipe-not-revoked-at-start", rule="13.4", breaks="An interrupted wipe's account is admitted when the next process starts.",
       file="MultiIdentityProtection/Wipe/IdentityWipe.swift", within="func revokeWiped",
       drop="IdentityRevocation.revoke(identity, for: .wiped)")
mutant("wipe-journal-of-another", rule="13.5", breaks="A journal renamed to another identity's name is followed.",
       file="MultiIdentityProtection/Wipe/JournalFolder+Reading.swift", within="func read", replace=("== digest", "!= nil"))
mutant("dry-run-removes", rule="13.6", breaks="A dry run removes the files that it counts.",
       file="MultiIdentityProtection/Wipe/IdentityWipe+DryRun.swift", within="func dryRun",
       replace=(".foundFiles", ".removedFiles"))

# -- 20 Sharing --

mutant("shared-as-of-the-courier", rule="20.1", breaks="A shared file belongs to the identity that copies it.",
       file="MultiIdentityProtection/Sharing/DataSharing+Files.swift", within="private func copy",
       replace=("decided = (owner, plan, status) return owner",
                "decided = (owner, plan, status) ; return FileOwner(Identity.current)"))
mutant("shared-in-clear", rule="20.2", breaks="A managed owner's data are shared in plain text.",
       file="MultiIdentityProtection/Sharing/DataSharing.swift", within="public func share",
       replace=("item = try protection.protect(bytes, for: owner)", "item = try protection.protect(bytes, for: .nobody)"))
mutant("receiver-not-asked", rule="20.3", breaks="Data enter a space that accepts none.",
       file="MultiIdentityProtection/Sharing/DataSharing.swift", within="public func receive", drop="try admit(owner, receiver)")
mutant("changed-while-it-went", rule="20.4", breaks="A file that changes while it is shared is sent as a mixture.",
       file="MultiIdentityProtection/Sharing/DataSharing+Files.swift", within="private func copy",
       replace=("guard try Self.status(of: old) == status else", "guard try Self.status(of: old) == status || true else"))
mutant("claim-of-another-envelope", rule="20.5", breaks="A claim that was signed for one envelope counts in each one for that receiver.",
       file="Integrations/Sources/IdentityEnvelope/EnvelopeFormat.swift", within="static func audience",
       replace=("+ publicKey + encapsulatedKey", "+ publicKey"))
