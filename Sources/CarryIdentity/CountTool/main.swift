import Foundation
import PlainHopsCount

/// Counts the plain hops of a package; the command plugin `plain-hops` runs it.
exit(CountCommand.run(Array(CommandLine.arguments.dropFirst())))
