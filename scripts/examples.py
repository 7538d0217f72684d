"""Print the Python examples of a page as one program, so that type checkers can read them.

python scripts/examples.py README.md > readme.py
"""

import doctest
import re
import sys
from pathlib import Path

for page in sys.argv[1:]:
    text = Path(page).read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for example in doctest.DocTestParser().get_examples(block):
            print(example.source, end="")
