import MultiIdentity

/// One user of the generated workload, who has a name in three spellings.
///
/// Identities are made for each request and go with it, as in a server; so the registry of names is under load too.
struct Account {
    /// The number of the user, from 0.
    let number: Int

    static let spellingCount = 3

    /// The identity, by the name in spelling 0, 1 or 2: all three are one identity.
    func identity(spelling: Int) -> Identity {
        do { return try Identity(name(spelling: spelling)) } catch { preconditionFailure("\(error)") }
    }

    /// An address, an account id or a name outside ASCII.
    private func name(spelling: Int) -> String {
        let digits = String(number)
        return switch number % 4 {
        case 0, 1:
            Self.pick(
                spelling,
                "user-\(digits)@contoso.example",
                "USER-\(digits)@CONTOSO.EXAMPLE",
                "User-\(digits)@Contoso.Example"
            )
        case 2: accountID(isUppercase: spelling == 1)
        default:
            // Small letters composed; capital letters, ß as two of them; and decomposed: canonical, full folding.
            Self.pick(
                spelling,
                "zo\u{EB}.stra\u{DF}e-\(digits)@e.example",
                "ZO\u{CB}.STRASSE-\(digits)@E.EXAMPLE",
                "zoe\u{308}.stra\u{DF}e-\(digits)@E.example"
            )
        }
    }

    private static func pick(_ spelling: Int, _ first: String, _ second: String, _ third: String) -> String {
        switch spelling {
        case 0: first
        case 1: second
        default: third
        }
    }

    private func accountID(isUppercase: Bool) -> String {
        let tail = String(UInt64(number) &+ 0x1A2B_0000_0000, radix: 16, uppercase: isUppercase)
        return (isUppercase ? "3EC2C00F-B125-4519-ACF0-" : "3ec2c00f-b125-4519-acf0-") + tail
    }
}
