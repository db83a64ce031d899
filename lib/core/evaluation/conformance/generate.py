"""Writes coercions.json: what pydantic answers to values that are not of the declared type. See README.md."""

import json
from pathlib import Path

import models
from pydantic import ValidationError

FLOATS = r'''1 "1" " 1 " "1_0" "0_1" "_1" "1__0" "1_" "nan" "Infinity" "-inf" "+1" "1." ".5" "." "1e5" "1e" "" " " true
false null {} [] "0x1" "１" "\u00a00.5" "\u001c0.5" "\ufeff0.5" 1e400 NaN -Infinity "infinit" "1e400" "1_000.5"
"1e1_0" "1.5_0" -0.0 "1e-400" " 1_0" "1 0" "٣"'''
INTS = r'''1 1.0 1.5 "1" "1.0" "1.5" " 2 " "1_0" "2." true "true" null NaN Infinity 1e400 1e20 1e10 -1 "-1" "+1" "00" "01"
"" [] "1.00" "1e2" -0.0 "-0" 1e300 "１" "_1" "1__0" "0_1" " 1_0.0" "-1.0" ".0" "1_000.0" "0" "+0" "1_"'''
BOOLS = r'''0 1 2 -1 1.0 0.0 0.5 "0" "1" "on" "ON" "oFf" "t" "T" "f" "TRUE" "y" "n" "no" "yes" " true" "true " null [] "2"
NaN -0.0 {} "" "İ"'''
TEXTS = r'''"a" "" " " 1 null [] true 1.5 {} "\u001f" "\ufeff" "\u0000" "\u00a0" "\u200b"'''
LISTS = r'''[] {} "a" ["a",1] [1,"a",null] null 1'''
PAIRS = r'''{} [] [1] [1,2] [2,1] [1,1] [1,2,3] ["a","b"] ["a","b",3] [1,"x",3,4] null [null] "ab" [Infinity,-Infinity]
[-Infinity,Infinity] [true,"2"] [NaN,1] [{},[]]'''
WORDS = r'''"pass" "PASS" " pass" "" 1 null [] true {}'''
MOMENTS = r'''"" "2026" "2026-03" "2026-03-13" "2026-03-13T" "2026-03-13T10" "2026-03-13T10:00" "2026-03-13T1:00"
"2026-03-13t10:00:00z" "2026-03-13_10:00:00Z" "2026-03-13-10:00:00Z" "2026-03-13T10:00:00Z " " 2026-03-13"
"2026-03-13T10:00:00\u0020Z" "2026-03-13T10:00:00+10" "2026-03-13T10:00:00+1000" "2026-03-13T10:00:00-00:00"
"2026-03-13T10:00:00+24:00" "2026-03-13T10:00:00+23:59" "2026-03-13T10:00:00-23:59" "2026-03-13T10:00:00+10:60"
"2026-03-13T10:00:00−10:00" "2026-03-13T10:00:60Z" "2026-03-13T10:60:00Z" "2026-03-13T24:00:00Z" "2026-02-29"
"2024-02-29" "1900-02-29" "2000-02-29T00:00" "2026-04-31" "2026-00-10" "2026-13-10" "2026-01-00" "2026-1-10" "2026/03/10"
"2026-03/10" "20x6-03-10" "2026-x3-10" "2026-03-x0" "20260310" "2026-03-10x" "0000-01-01" "0000-01-01T00:00:00Z"
"0001-01-01T00:00:00Z" "9999-12-31T23:59:59.999999Z" "2026-03-13T10:00:00." "2026-03-13T10:00:00.Z"
"2026-03-13T10:00:00,5Z" "2026-03-13T10:00:00.1" "2026-03-13T10:00:00.1234567" "2026-03-13T10:00:00.1234567890123Z"
"abc" "1773396000.5" "1773396000.123456789" "-1773396000" "+1773396000" "1e9" "1773396000000" "20000000000" "20000000001"
"-20000000000" "-20000000001" "0" "-0" "1_000" " 1773396000 " "nan" "99999999999999999999" "253402300799"
"253402300799000" "253402300800000" "-62135596800000" "1.5" ".5" "5." "-1.5" "２０２６-03-13" "2026-03-13T10:00+05:30"
"2026-03-13T10:0a" 1773396000 1773396000.5 1773396000.123456789 20000000000 20000000001 20000000000.5 -20000000000 0 -1
-0.5 0.0000005 0.0000015 1e30 1e400 NaN -Infinity true null [] {} 253402300800000 -62135596800000 -62135596801000
1773396000000.123 1773396000123.4567 1e3 86400 1e18 1773396000001.9999 99999999999999999999'''

FINE = '{"output_parseable": true, "schema_valid": true, "verifier_completed": true}'
PLACES = [
    ("EvaluationResult", FLOATS, '{"reward": %s, "validity": ' + FINE + "}"),
    ("EvaluationResult", BOOLS, '{"reward": 0, "validity": {"output_parseable": %s, "schema_valid": true, "verifier_completed": true}}'),
    ("EvaluationResult", LISTS, '{"reward": 0, "validity": ' + FINE + ', "error_taxonomy": %s}'),
    ("EvaluationResult", LISTS, '{"reward": 0, "validity": ' + FINE + ', "breakdown": %s}'),
    ("RubricDimension", FLOATS, '{"id": "a", "name": "", "description": "", "weight": %s, "max_score": 1, "eval_method": ""}'),
    ("RubricDimension", LISTS, '{"id": "a", "name": "", "description": "", "weight": 1, "max_score": 1, "eval_method": "", "eval_sections": %s}'),
    ("RubricDimension", LISTS, '{"id": "a", "name": "", "description": "", "weight": 1, "max_score": 1, "eval_method": "", "criteria": %s}'),
    ("Rubric", LISTS, '{"dimensions": %s}'),
    ("ConfidenceMetadata", INTS, '{"annotator_count": %s}'),
    ("ConfidenceMetadata", FLOATS, '{"inter_rater_agreement": %s}'),
    ("ConfidenceMetadata", PAIRS, '{"confidence_interval": %s}'),
    ("ErrorTag", TEXTS, '{"category": %s, "source": "human"}'),
    ("ErrorTag", TEXTS, '{"category": "a", "description": %s, "source": "human"}'),
    ("Annotation", WORDS, '{"reviewer_id": "a", "timestamp": 0, "judgment": %s}'),
    ("Annotation", LISTS, '{"reviewer_id": "a", "timestamp": 0, "judgment": "pass", "categories": %s}'),
    ("Annotation", MOMENTS, '{"reviewer_id": "a", "timestamp": %s, "judgment": "pass"}'),
]
WHOLE = [
    ("EvaluationResult", "[]"),
    ("EvaluationResult", '{"reward": 2, "validity": {}, "zz": 1, "breakdown": [], "error_taxonomy": {}, "annotations": [1, {}], "confidence": 3}'),
    ("EvaluationResult", '{"reward": 1, "validity": {"output_parseable": false, "schema_valid": true, "verifier_completed": true}, "x": 1}'),
    ("EvaluationResult", '{"validity": {"z": 1, "y": 2, "errors": [1]}, "annotations": [{"b": 1}], "a": 1}'),
    ("ErrorTag", '{"category": "a", "source": "x", "z": 1, "a": 2, "__proto__": 3}'),
    ("ErrorTag", "null"),
    ("Annotation", "{}"),
]


def split(texts):
    """The JSON values in a text, one after the other."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(texts):
        if texts[at].isspace():
            at += 1
            continue
        _, end = decoder.raw_decode(texts, at)
        yield texts[at:end]
        at = end


def answer(model, text):
    try:
        value = getattr(models, model).model_validate_json(text)
    except ValidationError as error:
        return {"errors": [{"loc": e["loc"], "type": e["type"], "msg": e["msg"]} for e in error.errors()]}
    except AttributeError as error:
        return {"raises": "AttributeError", "message": str(error)}
    return {"dump": json.loads(value.model_dump_json())}


def main():
    cases = [(model, place % value) for model, values, place in PLACES for value in split(values)] + WHOLE
    lines = [json.dumps({"model": m, "input": t, "expected": answer(m, t)}, ensure_ascii=False) for m, t in cases]
    Path(__file__).with_name("coercions.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
