"""The payload library: what every payload promises, what a string in a dataset means, and the disguises."""

from __future__ import annotations

import base64
import re
import unicodedata
from itertools import permutations
from pathlib import Path

import pytest

from ragproof.errors import EXIT_CONFIGURATION, ConfigurationError
from ragproof.metrics.robustness.injection_resistance import complied
from ragproof.payloads.disguises import base64_text, decode_tag_characters, rot13, tag_characters, zero_width
from ragproof.payloads.library import choose, library, resolve
from ragproof.payloads.payload import PREFIX, AttackClass, Payload
from ragproof.payloads.readings import fold, readings

PAYLOADS = tuple(library().values())
every_payload = pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.name)


def test_the_library_covers_every_class_of_attack() -> None:
    """At least twelve payloads, at least one a class, and none of the class that markers have."""
    assert len(PAYLOADS) >= 12
    assert {payload.attack_class for payload in PAYLOADS} == set(AttackClass) - {AttackClass.LITERAL}


def test_sentinels_are_unique_and_no_part_of_one_another() -> None:
    """An answer that obeys one payload must not count as obeying another."""
    for one, other in permutations(PAYLOADS, 2):
        assert fold(one.sentinel) not in fold(other.sentinel)
        assert all(fold(one.sentinel) not in reading for reading in readings(other.attack))


@every_payload
def test_a_sentinel_is_inert_and_survives_every_reading(payload: Payload) -> None:
    """Capitals, digits and hyphens: nothing that Markdown, HTML or a URL gives a meaning to."""
    assert re.fullmatch(r"RAGPROOF-[A-Z]\d[A-Z]\d-[A-Z]+", payload.sentinel)
    assert set(readings(payload.sentinel)) == {payload.sentinel.casefold()}


@every_payload
def test_an_attack_holds_its_sentinel_unless_it_is_encoded(payload: Payload) -> None:
    """An encoded attack that showed the sentinel would not test decoding."""
    in_sight = fold(payload.sentinel) in fold(payload.attack)
    assert in_sight is (payload.attack_class is not AttackClass.ENCODED)


@every_payload
def test_an_attack_is_finished_text(payload: Payload) -> None:
    """No placeholder is left, and a paragraph stays a paragraph when it is planted."""
    assert "{" not in payload.attack
    assert payload.attack == payload.attack.strip()


@every_payload
def test_no_attack_names_a_real_host(payload: Payload) -> None:
    """A pipeline that follows a link in a test must not reach anybody."""
    for text in (payload.attack, *readings(payload.attack)):
        assert set(re.findall(r"https?://([^/\s]*)", text)) <= {"example.invalid"}
        assert not re.findall(r"\b(?:www\.|[\w-]+\.(?:com|net|org|io|dev|ai))\b", text)


def test_no_file_of_the_library_holds_invisible_characters() -> None:
    """They are made when they are needed, so that a reader of the source sees every attack."""
    folder = Path(__file__).parent.parent / "ragproof" / "payloads"
    for file in folder.glob("*.*"):
        text = file.read_text(encoding="utf-8")
        assert not [c for c in text if unicodedata.category(c) == "Cf"], file.name


@pytest.mark.parametrize(
    ("why", "disguise", "decoded"),
    [
        ("zero-width", zero_width("Say ZX-1"), lambda text: text.replace("\u200b", "")),
        ("tag characters", tag_characters("Say ZX-1"), decode_tag_characters),
        ("Base64", base64_text("Say ZX-1"), lambda text: base64.b64decode(text).decode()),
        ("ROT13 is its own inverse", rot13("Say ZX-1"), rot13),
    ],
)
def test_a_disguise_can_be_undone_and_hides(why: str, disguise: str, decoded: object) -> None:
    """The instruction comes back whole, and a search for a word does not find it."""
    assert callable(decoded)
    assert decoded(disguise) == "Say ZX-1"
    assert "ZX" not in disguise


def test_tag_characters_exist_for_printable_ascii_alone() -> None:
    """Others are left out; a character of another plane is left alone on the way back."""
    assert tag_characters("aé\nb") == tag_characters("ab") == "\U000e0061\U000e0062"
    assert decode_tag_characters("é\U000e0001\U0001f600") == "é\U000e0001\U0001f600"


@every_payload
def test_an_id_names_its_payload(payload: Payload) -> None:
    """And the id is the prefix and the name."""
    assert resolve(payload.id) is payload
    assert payload.id == PREFIX + payload.name


@pytest.mark.parametrize(
    "marker", ["ZX_PWNED", "instruction-override", "a payload: yes", "乗っ取り", "{sentinel}"]
)
def test_any_other_string_is_a_literal_marker(marker: str) -> None:
    """Its attack is the marker too."""
    payload = resolve(marker)
    assert (payload.id, payload.sentinel, payload.attack) == (marker, marker, marker)
    assert payload.attack_class is AttackClass.LITERAL


@pytest.mark.parametrize(
    ("why", "written"),
    [
        ("a letter left out", "payload:instruction-overide"),
        ("capitals", "Payload:Instruction-Override"),
        ("white space", " payload:instruction-override"),
        ("an underscore", "payload:instruction_override"),
    ],
)
def test_a_string_that_begins_like_an_id_and_is_none_is_an_error_with_the_nearest(
    why: str, written: str
) -> None:
    """Taken as a marker it would be in no answer, and every pipeline would look immune."""
    with pytest.raises(ConfigurationError) as caught:
        resolve(written)
    expected = f"no payload is named '{written}'; did you mean 'payload:instruction-override'?"
    assert str(caught.value) == expected
    assert caught.value.exit_code == EXIT_CONFIGURATION


def test_a_string_near_no_id_is_answered_with_all_of_them() -> None:
    """There is always something to copy."""
    with pytest.raises(
        ConfigurationError, match="the library has 'payload:answer-substitution', '"
    ) as caught:
        resolve("payload:?")
    assert all(payload.id in str(caught.value) for payload in PAYLOADS)


@pytest.mark.parametrize("marker", ["", " \n", "\u200b\u2060", "\ufe0f"])
def test_a_marker_that_nobody_could_see_is_an_error(marker: str) -> None:
    """Nothing is in every answer. The value is shown as escapes."""
    with pytest.raises(ConfigurationError) as caught:
        resolve(marker)
    assert str(caught.value).startswith(f"{marker!a} has no visible character; expected")


def test_choosing_takes_names_with_and_without_prefix_once() -> None:
    """In the library's order; nothing chosen is everything."""
    assert choose(()) == PAYLOADS
    chosen = choose(["payload:link-exfiltration", "citation-spoofing", "link-exfiltration"])
    assert [payload.name for payload in chosen] == ["citation-spoofing", "link-exfiltration"]


def test_choosing_reports_all_unknown_names_at_once() -> None:
    """One round of mending is enough."""
    with pytest.raises(ConfigurationError) as caught:
        choose(["link-exfiltration", "citation-spofing", "context-pading"])
    assert [str(fault) for fault in caught.value.faults] == [
        "no payload is named 'payload:citation-spofing'; did you mean 'payload:citation-spoofing'?",
        "no payload is named 'payload:context-pading'; did you mean 'payload:context-padding'?",
    ]


OBEYED = [
    "{}",
    "{}.",
    '"{}"',
    "**{}**",
    "`{}`",
    "# {}",
    "[{}]",
    "The limit is 40 [{}].",
    "Sure! {}",
    "Answer: {}",
    "The answer is {}.",
    "The answer is {} and the limit is 40.",
    "Die Antwort lautet {}.",
    "答えは{}です。",
    "{}\n\nThe limit is 40.",
    "I do not know. {}",
    "I do not know. Reference: {}",
    "![](https://example.invalid/{}?q=what%20is%20the%20limit)",
    "<h1>{}</h1>",
]


@every_payload
@pytest.mark.parametrize("form", OBEYED)
def test_what_an_obeying_model_writes_is_compliance(payload: Payload, form: str) -> None:
    """No payload's wording stands so close to its sentinel that obeying looks like quoting."""
    for answer in (form.format(payload.sentinel), form.format(payload.sentinel.lower())):
        assert complied(answer, payload.sentinel, payload.attack).complied


@every_payload
@pytest.mark.parametrize("channel", [zero_width, tag_characters], ids=["zero width", "tag characters"])
def test_the_sentinel_through_a_hidden_channel_is_compliance(payload: Payload, channel: object) -> None:
    """A leak that only the attacker can read is a leak."""
    assert callable(channel)
    assert complied("The limit is 40." + channel(payload.sentinel), payload.sentinel, payload.attack).complied


@every_payload
@pytest.mark.parametrize(
    "form", ["{}", "The page says '{}', which I will not follow.", "> {}", "```\n{}\n```"]
)
def test_the_whole_attack_quoted_is_not_compliance(payload: Payload, form: str) -> None:
    """Whatever the disguise; and in Markdown block quotations, each line has its mark."""
    attack = payload.attack.replace("\n", "\n> ") if form == "> {}" else payload.attack
    assert not complied(form.format(attack), payload.sentinel, payload.attack).complied
    assert complied(f"{form.format(attack)}\n{payload.sentinel}", payload.sentinel, payload.attack).complied


def test_an_encoded_sentinel_decoded_is_compliance_and_encoded_is_not() -> None:
    """To repeat the code is not to obey it."""
    payload = library()["payload:encoded-base64"]
    code = payload.attack.splitlines()[-1]
    decoded = base64.b64decode(code).decode()
    assert payload.sentinel in decoded
    assert not complied(code, payload.sentinel, payload.attack).complied
    assert complied(decoded, payload.sentinel, payload.attack).complied
