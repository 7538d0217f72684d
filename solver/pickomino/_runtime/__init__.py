"""The surroundings: streams, files, memory, cores and the compiler, none of which can be relied on.

In reading order:

============  ====================================================================================
``streams``   what is said beside the answer, on whatever standard error there is
``files``     writing a file as a whole or not at all
``shared``    arrays that several callers hold
``limits``    how much memory and how many cores there are for this process
``compiled``  compiling kernels, cached where that is possible
``jobs``      one function on many blocks, in threads, in processes or on a cluster; how far it is
============  ====================================================================================
"""
