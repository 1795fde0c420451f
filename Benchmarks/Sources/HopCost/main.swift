import HopCosting

HopCosting.main()
