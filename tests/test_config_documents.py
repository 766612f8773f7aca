"""YAML as configuration reads it: values with their places, and no surprises."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragproof.config.documents import read_file, read_text, read_value
from ragproof.config.layers import Written


def faults(text: str) -> list[str]:
    return [str(fault) for fault in read_text(text, "x.yaml")[1]]


READ_AS = [
    ("plain scalars", "a: text\nb: 5\nc: 0.5\nd: true\ne: null\nf:", ["text", 5, 0.5, True, None, None]),
    ("quotes keep text", "a: \"5\"\nb: 'no'", ["5", "no"]),
    ("a date stays text", "a: 2026-11-30", ["2026-11-30"]),
    ("a time stays text", "a: 2026-11-30 10:00:00", ["2026-11-30 10:00:00"]),
    ("an equals sign stays text", "a: =", ["="]),
    ("lists and sections", "a: [1, {b: c}]", [[1, {"b": "c"}]]),
    ("an alias is what it points to", "a: &x {b: 1}\nc: *x", [{"b": 1}, {"b": 1}]),
    ("a byte order mark is nothing", "\ufeffa: 1", [1]),
    ("not a number", "a: .nan", [pytest.approx(float("nan"), nan_ok=True)]),
]


@pytest.mark.parametrize(("why", "text", "values"), READ_AS, ids=[row[0] for row in READ_AS])
def test_a_value_is_read_as_it_looks(tmp_path, why, text, values):
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    layer, found = read_file(tmp_path / "x.yaml", "x.yaml")
    assert found == []
    assert list(layer.data.values()) == values, why


def test_each_value_knows_where_it_stands_and_how_it_was_spelled():
    """Lines and columns as editors count them; a key's place is its value's."""
    layer, _ = read_text("a:\n  b: 1.10\n  c: [x, yes]\n", "x.yaml")
    assert layer.written == {
        ("a",): Written("x.yaml:1:1"),
        ("a", "b"): Written("x.yaml:2:3", "1.10"),
        ("a", "c"): Written("x.yaml:3:3"),
        ("a", "c", 0): Written("x.yaml:3:7", "x"),
        ("a", "c", 1): Written("x.yaml:3:10", "yes"),
    }


REFUSED = [
    (
        "a key given twice",
        "a: 1\nb: 2\na: 3",
        ["x.yaml:3:1: 'a' is already given on line 1; expected it once"],
    ),
    (
        "a key given twice on one line",
        "{a: 1, a: 2}",
        ["x.yaml:1:8: 'a' is already given on line 1; expected it once"],
    ),
    (
        "a nested key given twice",
        "a:\n  b: 1\n  b: 1",
        ["x.yaml:3:3: 'b' is already given on line 2; expected it once"],
    ),
    (
        "a key that YAML takes for a switch",
        "on: 1",
        ["x.yaml:1:1: the key on is read by YAML as true; write 'on' in quotes"],
    ),
    ("a key that is a number", "5: 1", ["x.yaml:1:1: the key 5 is read by YAML as 5; write '5' in quotes"]),
    ("a key that is a list", "[a]: 1", ["x.yaml:1:1: a list or section cannot be a key; expected text"]),
    (
        "a merge key",
        "a: &x {b: 1}\nc:\n  <<: *x",
        ["x.yaml:3:3: '<<' is not read; write the merged keys out"],
    ),
    (
        "a number with a leading zero is octal",
        "k: 010",
        ["x.yaml:1:1: 010 is read by YAML as 8; write 8, or '010' in quotes"],
    ),
    (
        "a number with a colon has base 60",
        "k: 1:30",
        ["x.yaml:1:1: 1:30 is read by YAML as 90; write 90, or '1:30' in quotes"],
    ),
    (
        "a fraction with a colon too",
        "k: 1:30.5",
        ["x.yaml:1:1: 1:30.5 is read by YAML as 90.5; write 90.5, or '1:30.5' in quotes"],
    ),
    (
        "a tag that makes objects",
        "k: !!python/name:os.system ls",
        ["x.yaml:1:1: the tag 'tag:yaml.org,2002:python/name:os.system' is not read; expected plain YAML"],
    ),
    (
        "a tag of someone's own",
        "k: !env NAME",
        ["x.yaml:1:1: the tag '!env' is not read; expected plain YAML"],
    ),
    (
        "a set",
        "k: !!set {a}",
        ["x.yaml:1:1: the tag 'tag:yaml.org,2002:set' is not read; expected plain YAML"],
    ),
    ("a tag that does not fit", "k: !!int abc", ["x.yaml:1:1: 'abc' cannot be read as a whole number"]),
    (
        "half of a surrogate pair",
        'k: "\\ud800"',
        ["x.yaml:1:1: half of a surrogate pair is not text; expected whole characters"],
    ),
    ("a character no file should hold", "a: 1\nb: \x07", ["x.yaml:2: character 0x07 is not allowed in YAML"]),
    (
        "a character there is none of",
        'k: "\\UFFFFFFFF"',
        ["x.yaml: not valid YAML: an escape or a version is out of range"],
    ),
    (
        "a bracket without its partner",
        "a: [1,\nb: 2\n",
        ["x.yaml:3:1: not valid YAML: expected ',' or ']', but got '<stream end>'"],
    ),
    ("two colons", "a: b: c", ["x.yaml:1:5: not valid YAML: mapping values are not allowed here"]),
    (
        "a tab as indentation",
        "a:\n\tb: 1",
        ["x.yaml:2:1: not valid YAML: found character '\\t' that cannot start any token"],
    ),
    ("two documents", "a: 1\n---\na: 2", ["x.yaml:2:1: not valid YAML: but found another document"]),
    (
        "nothing",
        "# a comment\n",
        ["x.yaml: the file is empty; expected at least project, dataset and pipeline"],
    ),
    ("a list", "- a", ["x.yaml: a list is not a configuration; expected sections"]),
    ("text", "hello", ["x.yaml: 'hello' is not a configuration; expected sections"]),
    ("brackets without end", "[" * 1_000, ["x.yaml: too large or too deeply nested for a configuration"]),
    (
        "sections deeper than any use",
        "a: " + "[" * 60 + "]" * 60,
        ["x.yaml: too large or too deeply nested for a configuration"],
    ),
    (
        "an alias that holds itself",
        "a: &x [*x]",
        ["x.yaml: too large or too deeply nested for a configuration"],
    ),
    (
        "aliases that multiply",
        "\n".join(["a0: &a0 [1]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]),
        ["x.yaml: too large or too deeply nested for a configuration"],
    ),
]


@pytest.mark.parametrize(("why", "text", "expected"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_yaml_would_read_as_something_else_is_a_fault(why, text, expected):
    assert faults(text) == expected, why


def test_faults_do_not_hide_each_other():
    """A file is read on after a fault that leaves the rest readable."""
    assert faults("a: 010\non: 1\na: 2\nb: !x y") == [
        "x.yaml:1:1: 010 is read by YAML as 8; write 8, or '010' in quotes",
        "x.yaml:2:1: the key on is read by YAML as true; write 'on' in quotes",
        "x.yaml:3:1: 'a' is already given on line 1; expected it once",
        "x.yaml:4:1: the tag '!x' is not read; expected plain YAML",
    ]


def test_a_file_that_cannot_be_read_names_the_nearest_beside_it(tmp_path):
    """Most often its name is misspelt."""
    (tmp_path / "nightly.yaml").touch()
    layer, (fault,) = read_file(tmp_path / "nightli.yaml", "nightli.yaml")
    assert layer is None
    assert fault.message.endswith("cannot be read: no such file or directory; did you mean 'nightly.yaml'?")


def test_a_folder_is_no_configuration(tmp_path):
    """The reason is the system's."""
    assert read_file(tmp_path, "x")[1][0].message == f"'{tmp_path}' cannot be read: is a directory"


def test_a_file_that_is_not_utf8_names_the_line(tmp_path):
    """Latin-1 is the usual culprit."""
    (tmp_path / "x.yaml").write_bytes("a: 1\nb: é\n".encode("latin-1"))
    assert str(read_file(tmp_path / "x.yaml", "x.yaml")[1][0]) == (
        "x.yaml:2: byte 0xe9 is not UTF-8; save the file as UTF-8"
    )


def test_a_large_file_is_taken_for_what_it_is(tmp_path):
    """A dataset given in place of a configuration would keep the YAML parser busy for minutes."""
    (tmp_path / "x.yaml").write_bytes(b"#" * 3_000_000)
    assert str(read_file(tmp_path / "x.yaml", "x.yaml")[1][0]) == (
        "x.yaml: 3,000 kB is too large for a configuration; is this a dataset?"
    )


VALUES = [
    ("a number stays text until one is expected", "010", "010"),
    ("a word stays text", "no", "no"),
    ("what YAML could not read stays text", "a: b @c", "a: b @c"),
    ("blanks stay", " a ", " a "),
    ("nothing is empty text", "", ""),
    ("a list", "[a, 1, true]", ["a", 1, True]),
    ("a section", "{a: {b: 1}}", {"a": {"b": 1}}),
    ("quotes are YAML's", '"a\\u00e9"', "aé"),
    ("null", "null", None),
    ("null in short", "~", None),
]


@pytest.mark.parametrize(("why", "text", "expected"), VALUES, ids=[row[0] for row in VALUES])
def test_a_value_from_outside_is_text_unless_it_is_marked_as_more(why, text, expected):
    assert read_value(text, "--set a", typed=False) == (expected, []), why


TYPED = [
    ("a switch", "false", False),
    ("a number", "5", 5),
    ("a fraction", "0.5", 0.5),
    ("text", "m:f", "m:f"),
    ("text that a file would have to quote", "@a: b #c", "@a: b #c"),
    ("nothing", "", None),
    ("quotes keep text", '"5"', "5"),
]


@pytest.mark.parametrize(("why", "text", "expected"), TYPED, ids=[row[0] for row in TYPED])
def test_a_typed_value_from_outside_is_what_yaml_makes_of_it(why, text, expected):
    assert read_value(text, "--set a", typed=True) == (expected, []), why


def test_a_typed_value_has_yamls_surprises_refused():
    """As in a file."""
    assert [str(fault) for fault in read_value("010", "--set a", typed=True)[1]] == [
        "--set a: 010 is read by YAML as 8; write 8, or '010' in quotes"
    ]


def test_a_fault_in_a_value_from_outside_stands_where_the_value_was_given():
    """A line and a column inside one argument help nobody."""
    value, (fault,) = read_value("{a: 1, a: 2}", "--set x", typed=False)
    assert str(fault) == "--set x: 'a' is already given on line 1; expected it once"
    assert value == {"a": 1}


yaml_like = st.text(alphabet=st.sampled_from("ab1.0:-[]{}&*!|>'\"#%@`,? \n\t\\uU<~\x00\ud800é"), max_size=60)


@given(text=yaml_like | st.text(max_size=60))
@example("a: !!timestamp [1]")
@example("!!map a")
@example("? {a: 1}\n: 2")
@example("a: !!float x")
@example("%YAML 99999999999999999999.1\n---\na")
def test_whatever_text_a_file_holds_it_is_a_layer_or_faults(text):
    """Nothing is ever raised, and every fault can be printed on one line."""
    layer, found = read_text(text, "x.yaml")
    assert layer is not None or found
    for fault in found:
        assert str(fault).isprintable()
