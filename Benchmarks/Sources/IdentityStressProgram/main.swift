import ArgumentParser
import IdentityStress

Program.main()
