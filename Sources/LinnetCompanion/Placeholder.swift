// Gives a watch and a widget the delivery promises that their platform gives.
