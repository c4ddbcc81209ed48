"""The devices of the table: buttons, lamps, display, sound, camera."""
