"""Questions and answers in words, for whoever talks to people: the command line, a page.

In reading order:

============  ====================================================================================
``reading``   lines of a file or of standard input, and the objects in them
``question``  the words of a question as the objects that the library takes, and who answers it
``report``    answers as aligned text and as JSON objects
============  ====================================================================================
"""
