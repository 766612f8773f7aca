"""The `judge` section: which model is asked, where, how patiently, and at what price. No key is in it."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from ragproof.adapters.wire.addressing import check_url
from ragproof.evidence import ClaimSplit, PerContext, Settings
from ragproof.frozen import Described
from ragproof.judge.metering import Tokens
from ragproof.money import cost_picodollars

_HOMES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
_CREDENTIALS = ("key", "token", "secret", "password", "signature", "sig")

Price = Annotated[float, Field(ge=0, le=1_000_000)]


class JudgeConfig(Described):
    """A judge model behind an API."""

    provider: Literal["openai", "anthropic"] = "openai"
    """The API it is asked through: `openai` is the chat completions API that most servers speak (Azure, vLLM,
    Ollama, llama.cpp, LM Studio, Gemini, Mistral), `anthropic` the Messages API."""
    model: Annotated[
        str, Field(min_length=1, max_length=300, pattern=r"^\S(.*\S)?$", examples=["gpt-4o-mini"])
    ]
    """The model's name, as its server knows it."""
    base_url: str = ""
    """Where the API is, without the path of a call: `http://localhost:11434/v1`; by default the provider's
    own."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """Left out for a model that refuses it, which every verdict then says."""
    max_tokens: Annotated[int, Field(ge=16, le=1_000_000)] = 2_048
    """Room for a reply; a reply that is cut off is asked for once more with four times as much."""
    concurrency: Annotated[int, Field(ge=1, le=1_024)] = 16
    """Calls under way at once, at most; halved when the server is overloaded, and slowly raised again."""
    timeout_seconds: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    """For one attempt."""
    retries: Annotated[int, Field(ge=0, le=20)] = 5
    """After 408, 429, 5xx, a timeout or a broken connection; repairs of a reply do not count."""
    retry_after_cap_seconds: Annotated[float, Field(ge=0, le=3_600)] = 120.0
    """The longest wait that the server may ask for."""
    input_cost_per_mtok: Price | None = None
    """Dollars for a million tokens sent; a budget needs both prices."""
    output_cost_per_mtok: Price | None = None
    """Dollars for a million tokens received."""
    require_quotes: bool = False
    """Count a claim or citation as supported only when the judge quotes the passage, and it stands there."""
    claims: ClaimSplit = ClaimSplit.JOINT
    """`joint` splits an answer into claims and marks them in one call; `two_step` splits first, without the
    contexts in sight, and asks for verdicts after, which costs a call more."""
    per_context: PerContext = PerContext.BATCHED
    """`batched` asks about all contexts in one call; `exact` asks about each in a call of its own."""
    cap_citations: bool = True
    """Judge the first three citations of a sentence and leave out the others, as ALCE does."""

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        if isinstance(value, bool) and cls.model_fields[info.field_name or ""].annotation is not bool:
            raise PydanticCustomError("not_a_switch", "expected another type")
        return value

    @field_validator("base_url")
    @classmethod
    def _can_be_called(cls, base_url: str) -> str:
        if not base_url:
            return base_url
        check_url(base_url)
        address = urlsplit(base_url)
        if "{" in base_url:
            raise ValueError(f"'{base_url}' holds a brace; expected a URL without placeholders")
        for name, _ in parse_qsl(address.query, keep_blank_values=True):
            if name.lower().replace("_", "-").split("-")[-1] in _CREDENTIALS:
                raise ValueError(f"'{name}' in base_url is a credential; set RAGPROOF_JUDGE_API_KEY instead")
        return urlunsplit(address._replace(path=address.path.rstrip("/")))

    def settings(self) -> Settings:
        """Return what of a judge's configuration gives scores their meaning, all else as it is by default."""
        return Settings(
            judge_configured=True,
            require_quotes=self.require_quotes,
            claims=self.claims,
            per_context=self.per_context,
            cap_citations=self.cap_citations,
        )

    @property
    def home(self) -> str:
        """Where the API is."""
        return self.base_url or _HOMES[self.provider]

    @property
    def is_priced(self) -> bool:
        """Whether both prices are known; a model without them is refused while a cap is set."""
        return self.input_cost_per_mtok is not None and self.output_cost_per_mtok is not None

    def cost_picodollars(self, tokens: Tokens) -> int | None:
        """Return what tokens cost, rounded up; None without prices, never 0."""
        if self.input_cost_per_mtok is None or self.output_cost_per_mtok is None:
            return None
        return cost_picodollars(
            tokens.input, tokens.output, self.input_cost_per_mtok, self.output_cost_per_mtok
        )
