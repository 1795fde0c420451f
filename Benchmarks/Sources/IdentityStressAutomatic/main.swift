import ArgumentParser
import IdentityStress
import MultiIdentityInterposition

// The same program, linked with automatic mode.
AutomaticMode.isLinked(
    as: AutomaticMode(
        require: { try IdentityInterposition.required() },
        turnOff: { IdentityInterposition.turnOff() }
    )
)
Program.main()
