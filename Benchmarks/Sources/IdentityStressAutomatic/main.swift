import ArgumentParser
import IdentityStress
import MultiIdentityAutomaticMode

// The same program, linked with automatic mode.
AutomaticMode.isLinked(
    as: AutomaticMode(
        require: { try AutomaticMode.required() },
        turnOff: { AutomaticMode.turnOff() }
    )
)
Program.main()
