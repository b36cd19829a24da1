// Draws what a phone, a watch and their widgets show.
