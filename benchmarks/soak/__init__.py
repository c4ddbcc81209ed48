"""The whole table on simulated devices, for hours and through every kind of trouble: what ``make soak`` runs."""
