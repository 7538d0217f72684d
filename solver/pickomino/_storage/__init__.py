"""Tables on disk, whatever they hold: no module here knows which kinds of table there are.

In reading order:

============  ====================================================================================
``files``     writing a file as a whole or not at all
``manifest``  what a table is of, its arrays and their checksums; mapping them
``folders``   where tables lie; finding and removing them
``building``  putting a table in its place: one build at a time, resumed after a kill
``jobs``      one function on many blocks, in threads or on a cluster, and how far it is
============  ====================================================================================
"""
