"""The page: the virtual table, the spectators' board and the bartender's panel, for browsers.

It is fed with what the table shows everybody, and what a browser may do goes into the same queue as the buttons. It
runs on a thread of its own: nothing here can keep the table waiting.
"""
