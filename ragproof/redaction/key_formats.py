"""Keys that give themselves away by their format, wherever they stand.

The formats are those their issuers document or secret scanners agree on; a shorter tail than the issuer's is
enough, because messages are cut. Each is found in one pass: it begins with its tell, at the start of a word,
and no part of it can be read in two ways, so that hostile text costs no more than other text. A match ends
before a character that could begin no other format, so that a second pass finds nothing new.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ragproof.redaction.exemptions import Exemptions, mark
from ragproof.redaction.fragments import fragments
from ragproof.redaction.secret_words import is_unlike_a_setting

_START = r"(?<![A-Za-z0-9])"


@dataclass(frozen=True)
class KeyFormat:
    """One format."""

    kind: str
    """What stands in the mark."""
    tell: str
    """What every match begins with; in small letters where case does not count."""
    expression: str
    """A regular expression; what its group `secret` matches is replaced, everything without such a group."""
    in_word: bool = True
    """Whether all of it is one word, without blanks."""
    any_case: bool = False
    is_one: Callable[[str], bool] | None = None
    """Says of a match whether it is a key after all; None when the expression is proof enough."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled when it is first needed."""
        return re.compile(self.expression, re.IGNORECASE if self.any_case else 0)

    def is_in(self, text: str) -> bool:
        """Say whether a text holds a key of this format."""
        return next(self._keys(text), None) is not None

    def replaced(self, text: str) -> str:
        """Return a text without keys of this format."""
        pieces: list[str] = []
        done = 0
        for start, end in self._keys(text):
            pieces += (text[done:start], mark(self.kind))
            done = end
        return "".join((*pieces, text[done:]))

    def _keys(self, text: str) -> Iterator[tuple[int, int]]:
        group = "secret" if "secret" in self.pattern.groupindex else 0
        for match in self._matches(text):
            if self.is_one is None or self.is_one(match[group]):
                yield match.span(group)

    def _matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches; searching for the tell alone is far quicker than for the expression."""
        searched = text.lower() if self.any_case else text
        if len(searched) != len(text):  # a letter became two, and places are not the text's
            yield from self.pattern.finditer(text)
            return
        at = searched.find(self.tell)
        while at >= 0:
            match = self.pattern.match(text, at)
            if match:
                yield match
            at = searched.find(self.tell, match.end() if match else at + 1)


def _prefixed(kind: str, prefix: str, tail: str = "_", shortest: int = 16) -> KeyFormat:
    """Return the format of tokens that begin with a prefix of their own."""
    return KeyFormat(kind, prefix, rf"{_START}{re.escape(prefix)}[A-Za-z0-9{tail}]{{{shortest},}}")


def _is_no_word(value: str) -> bool:
    return is_unlike_a_setting(value.rstrip("."))


def _is_user_and_password(encoded: str) -> bool:
    try:
        return b":" in base64.b64decode(encoded + "=" * (-len(encoded) % 4))
    except (binascii.Error, ValueError):
        return False


_LABEL = r"""["']?\s{0,3}(?:=>|[:=])\s{0,3}["']?"""
_BREAK = r"(?:\\[nrt]|\s)*+"

FORMATS: tuple[KeyFormat, ...] = (
    KeyFormat(
        "private-key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        rf"(?:{_BREAK}[A-Za-z][A-Za-z-]{{1,20}}: (?:[^\n\\]{{1,100}}(?=\n|\\n)|\S{{1,80}})){{0,4}}+"
        rf"(?:{_BREAK}[A-Za-z0-9+/=]{{20,}}+)*+"
        rf"(?:{_BREAK}[A-Za-z0-9+/=]{{0,80}}{_BREAK}-----END [A-Z0-9 ]{{0,30}}PRIVATE KEY(?: BLOCK)?-----)?",
        in_word=False,
    ),
    KeyFormat(
        "url-credentials",
        "://",
        r"""://(?P<secret>[^\s/?#@:"'<>\[\]]{0,200}+:[^\s/?#"'<>\[\]]{1,500}|[^\s/?#@:"'<>\[\]]{16,200})@""",
    ),
    KeyFormat("jwt", "eyJ", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]+)*"),
    *(
        KeyFormat(
            "aws-access-key-id",
            prefix,
            rf"{_START}{prefix}[A-Z0-9]{{16}}(?![A-Za-z0-9])"
            r"(?:[^A-Za-z0-9+\[\]]{1,10}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=]))?",
        )
        for prefix in ("AKIA", "ASIA")
    ),
    KeyFormat(
        "aws-secret-access-key",
        "secret",
        rf"secret[_\s-]?(?:access[_\s-]?)?key{_LABEL}(?P<secret>[A-Za-z0-9+/]{{40}})(?![A-Za-z0-9+/=])",
        in_word=False,
        any_case=True,
    ),
    KeyFormat(
        "openai-key",
        "sk-",
        rf"{_START}sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1|lf)-[\w-]{{16,}}"
        r"|[A-Za-z0-9]{16,}[\w-]*|(?=[A-Za-z_-]{0,80}[0-9])[\w-]{20,})",
    ),
    _prefixed("anthropic-key", "sk-ant-", r"_-"),
    *(
        _prefixed("github-token", prefix)
        for prefix in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_")
    ),
    _prefixed("gitlab-token", "glpat-", r"_-"),
    KeyFormat("slack-token", "xox", rf"{_START}xox[a-z](?:\.[a-z]+)?-[A-Za-z0-9-]{{10,}}"),
    _prefixed("slack-token", "xapp-", r"-"),
    KeyFormat(
        "slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,20}/(?P<secret>[A-Za-z0-9/]{20,})"
    ),
    _prefixed("google-key", "AIza", r"_-", 30),
    _prefixed("google-token", "ya29.", r"_.-"),
    _prefixed("google-client-secret", "GOCSPX-", r"_-"),
    *(_prefixed("stripe-key", f"{kind}_{mode}_") for kind in ("sk", "rk") for mode in ("live", "test")),
    _prefixed("stripe-webhook-secret", "whsec_", r"+/="),
    _prefixed("huggingface-token", "hf_", "", 20),
    _prefixed("npm-token", "npm_", "", 20),
    _prefixed("pypi-token", "pypi-AgE", r"_-"),
    KeyFormat("sendgrid-key", "SG.", rf"{_START}SG\.[\w-]{{16,}}\.[\w-]{{8,}}"),
    KeyFormat("twilio-key", "SK", rf"{_START}SK[0-9a-f]{{32}}(?![A-Za-z0-9])"),
    KeyFormat("telegram-token", ":AA", r"(?<=[0-9]{8}):AA[\w-]{30,}"),
    *(
        KeyFormat("azure-key", f"{label}=", rf"{_START}{label}=(?P<secret>[A-Za-z0-9+/%]{{20,}}={{0,2}})")
        for label in ("AccountKey", "SharedAccessKey", "SharedAccessSignature", "sig")
    ),
    _prefixed("groq-key", "gsk_", ""),
    _prefixed("xai-key", "xai-", ""),
    _prefixed("nvidia-key", "nvapi-", r"_-"),
    _prefixed("tavily-key", "tvly-", r"_-"),
    _prefixed("langsmith-key", "lsv2_"),
    _prefixed("jina-key", "jina_", r"_-"),
    _prefixed("pinecone-key", "pcsk_"),
    _prefixed("perplexity-key", "pplx-", ""),
    _prefixed("databricks-token", "dapi", "", 32),
    _prefixed("vault-token", "hvs.", r"_-"),
    _prefixed("docker-token", "dckr_pat_", r"_-"),
    _prefixed("digitalocean-token", "dop_v1_", ""),
    KeyFormat(
        "authorization",
        "authorization",
        rf"authorization{_LABEL}(?:(?:basic|bearer|token|digest|apikey)\s{{1,3}})?"
        r"(?P<secret>(?!(?:basic|bearer|token|digest|apikey)\b)[A-Za-z0-9._~+/=-]{8,})",
        in_word=False,
        any_case=True,
        is_one=_is_no_word,
    ),
    KeyFormat(
        "bearer-token",
        "bearer",
        rf"{_START}bearer\s{{1,3}}(?P<secret>(?=[A-Za-z._~+/=-]{{0,100}}[0-9])[A-Za-z0-9._~+/=-]{{16,}})",
        in_word=False,
        any_case=True,
    ),
    KeyFormat(
        "basic-credentials",
        "basic",
        rf"{_START}basic\s{{1,3}}(?P<secret>[A-Za-z0-9+/]{{8,}}={{0,2}})(?![A-Za-z0-9])",
        in_word=False,
        any_case=True,
        is_one=_is_user_and_password,
    ),
    KeyFormat(
        "api-key",
        "api-key",
        rf"api-key{_LABEL}(?P<secret>(?=[A-Za-z._~+/=-]{{0,100}}[0-9])[A-Za-z0-9._~+/=-]{{12,}})",
        in_word=False,
        any_case=True,
    ),
)
"""Where two could match, the first does: what is longest stands first."""

_IN_TEXT = [(format.tell, format) for format in FORMATS if not (format.in_word or format.any_case)]
_IN_WORDS = [(format.tell, format) for format in FORMATS if format.in_word]
_IN_ANY_CASE = [(format.tell, format) for format in FORMATS if format.any_case]
KINDS = tuple(dict.fromkeys(format.kind for format in FORMATS))


def possible(text: str, words: str | None = None) -> tuple[KeyFormat, ...]:
    """Return the formats a text could hold a key of; far quicker than looking, and nearly always none.

    Args:
        text: the text.
        words: the `fragments` of it; None has them worked out.
    """
    words = fragments(text) if words is None else words
    small = text.lower()
    return (
        *[format for tell, format in _IN_TEXT if tell in text],
        *[format for tell, format in _IN_WORDS if tell in words],
        *[format for tell, format in _IN_ANY_CASE if tell in small],
    )


def replaced(text: str, formats: Sequence[KeyFormat], exemptions: Exemptions) -> str:
    """Return a text without keys of some formats; exempt texts stay, and end a key that runs into them."""
    for format in formats:
        if format.is_in(text):
            text = exemptions.around(text, format.replaced)
    return text


def kinds_in(text: str) -> tuple[str, ...]:
    """Return the kinds of keys that a text holds; usually none."""
    return tuple(format.kind for format in possible(text) if format.is_in(text))
