import MultiIdentity
@_spi(Checks) import MultiIdentityTesting

/// Calls that a seed determines: most belong to accounts, some to nobody, and some have no identity.
struct GeneratedCalls {
    let seed: UInt64
    /// The number of accounts.
    let identities: Int

    /// Returns the call with this number, from 0.
    func call(_ number: Int) -> Call {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        let kind = generator.below(8)
        let account = Account(number: generator.below(identities))
        let spelling = generator.below(Account.spellingCount)
        let levels = generator.below(2 * LevelsChoice.all.count)
        let identity: Identity? =
            switch kind {
            case 0: nil
            case 1: .nobody
            default: account.identity(spelling: spelling)
            }
        let twin: Identity? =
            if kind > 1 { account.identity(spelling: (spelling + 1) % Account.spellingCount) } else {
                identity
            }
        return Call(
            identity: identity,
            twin: twin,
            levels: levels < LevelsChoice.all.count ? levels : nil,
            stepSeed: generator.next()
        )
    }
}
