"""Tables on disk, whatever they hold: no module here knows which kinds of table there are.

In reading order:

============  ====================================================================================
``spec``      what a table is of, for any kind: its name, its command, its arrays
``manifest``  what a table states of itself: its kind, its arrays and their checksums
``arrays``    mapping the arrays, and checking each block before it is used
``folders``   where tables lie; finding and removing them
``building``  putting a table in its place: one build at a time, resumed after a kill
``probed``    what every table does when it is opened: probed, closed
``table``     one table, opened: its arrays, pickled as its folder
``opening``   the tables that a question can be asked of, and the sentence where there is none
============  ====================================================================================
"""
