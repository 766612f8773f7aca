"""Bounds for what a reply's JSON schema leaves open: the length of its texts and of its lists.

A model of this size does not end a text or a list by itself, and every reply would be cut off at its token
limit. What keeps to the bounded schema keeps to the one that was asked for. False friend: the schema that
ragproof sends, which has no such bounds because not every provider takes them.
"""

from __future__ import annotations

from pydantic import JsonValue

TEXT_CHARACTERS = 80
LIST_ENTRIES = 1
"""A second claim would be the first again, and too often with the other verdict."""


def bounded(schema: JsonValue) -> JsonValue:
    """Return a schema with bounds.

    Args:
        schema: a JSON schema; bounds it has, and what is no object, list or text in it, stay as they are.

    Returns:
        The schema in which a text has at most 80 characters, and a list at most 1 entry, or one for each id
        where its entries are told apart by ids of a closed list.
    """
    if not isinstance(schema, dict):
        return schema
    match schema.get("type"):
        case "object" if isinstance(properties := schema.get("properties"), dict):
            return {**schema, "properties": {name: bounded(inner) for name, inner in properties.items()}}
        case "array":
            items = schema.get("items")
            ids = _ids(items)
            limits: dict[str, JsonValue] = (
                {"minItems": ids, "maxItems": ids} if ids else {"maxItems": LIST_ENTRIES}
            )
            return {**limits, **schema, "items": bounded(items)} if items is not None else limits | schema
        case "string" if "enum" not in schema:
            return {"maxLength": TEXT_CHARACTERS, **schema}
        case _:
            return schema


def _ids(items: JsonValue) -> int:
    """Return how many ids tell the entries of a list apart; 0 when none do."""
    properties = items.get("properties") if isinstance(items, dict) else None
    id = properties.get("id") if isinstance(properties, dict) else None
    known = id.get("enum") if isinstance(id, dict) else None
    return len(known) if isinstance(known, list) else 0
