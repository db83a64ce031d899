"""The models of the evaluation contract as far as pydantic's own coercions reach: a transcription of the rules."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator


def refuse_blank(value):
    if value.strip() == "":
        raise ValueError("value must not be blank")
    return value


def refuse_outside(name):
    def check(value):
        if value is not None and not 0.0 <= value <= 1.0:
            raise ValueError(f"{name} must be between 0.0 and 1.0")
        return value

    return check


NonEmptyStr = Annotated[str, BeforeValidator(refuse_blank)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Source(Enum):
    MECHANICAL = "mechanical"
    HUMAN = "human"
    JUDGE = "judge"


class Judgment(Enum):
    PASS = "pass"
    FAIL = "fail"
    DEFER = "defer"


class ErrorTag(Model):
    category: NonEmptyStr
    description: str | None = None
    source: Source


class ValidityCheck(Model):
    output_parseable: bool
    schema_valid: bool
    verifier_completed: bool
    errors: list[str] = Field(default_factory=list)


class Annotation(Model):
    reviewer_id: NonEmptyStr
    reviewer_discipline: NonEmptyStr | None = None
    timestamp: datetime
    judgment: Judgment
    categories: list[str] = Field(default_factory=list)
    notes: str | None = None


class ConfidenceMetadata(Model):
    annotator_count: int | None = Field(default=None, ge=0)
    inter_rater_agreement: float | None = None
    confidence_interval: tuple[float, float] | None = None
    confidence_method: NonEmptyStr | None = None

    _agreement = field_validator("inter_rater_agreement")(refuse_outside("inter_rater_agreement"))

    @field_validator("confidence_interval")
    @classmethod
    def order(cls, value):
        if value is not None and value[0] > value[1]:
            raise ValueError("confidence_interval low bound must not exceed high bound")
        return value


class EvaluationResult(Model):
    reward: float
    validity: ValidityCheck
    breakdown: dict[str, Any] | None = None
    error_taxonomy: list[ErrorTag] | None = None
    confidence: ConfidenceMetadata | None = None
    annotations: list[Annotation] | None = None

    _range = field_validator("reward")(refuse_outside("reward"))

    @model_validator(mode="after")
    def gate(self):
        if not self.validity.output_parseable and self.reward > 0:
            raise ValueError("unparseable outputs must have reward 0.0")
        return self


class RubricCriterion(Model):
    text: str
    category: str


class RubricDimension(Model):
    id: str
    name: str
    description: str
    weight: float
    max_score: float
    eval_method: str
    criteria: tuple[RubricCriterion, ...] = ()
    eval_sections: tuple[str, ...] = ()
    eval_references: tuple[str, ...] = ()
    expert_persona: str = ""


class Rubric(Model):
    dimensions: tuple[RubricDimension, ...]
    rollup_strategy: str = "weighted_mean"
