"""What must not be kept is replaced by a mark, `[redacted:NAME]`, once, before a reply is committed.

NAME is the variable a value came from, or the kind of key it looks like. A text that has been through here
once comes out of a second time unchanged.
"""

from ragproof.redaction.redactor import Redactor, Rule

__all__ = ["Redactor", "Rule"]
