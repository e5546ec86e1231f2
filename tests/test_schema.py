"""The JSON Schema of the configuration says what config.py does."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from placefix import config, config_keys, rule_selection
from placefix.config import ConfigError, Configs
from placefix.rules import RULES
from placefix.schema import schema

if TYPE_CHECKING:
    from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCHEMA = schema()
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
KEYS: dict[str, dict[str, Any]] = SCHEMA["properties"]

GOOD = (
    "",
    'select = ["PF1", "PF203"]\nignore = ["PF203"]',
    'select = ["PF501", "P"]',
    "select = []",
    'exclude = ["third_party/", "!a.py"]',
    'target-torch = "2.10"',
    'device-idiom = "accelerator"',
    'device-idiom = "auto"',
    'device-name = "gerät"',
    "line-length = 100",
    "unsafe-fixes = true\nadd-placement = false",
    '[per-file-ignores]\n"tests/*.py" = ["PF4"]',
)
BAD = (
    "slect = []",
    'select = "PF1"',
    "select = [1]",
    'select = [""]',
    'select = ["PF7"]',
    'select = ["pf101"]',
    'ignore = ["PF1011"]',
    "exclude = 'a'",
    "exclude = [1]",
    "target-torch = 2.1",
    'target-torch = "2"',
    'target-torch = "2.1.0"',
    'device-idiom = "mps"',
    'device-name = "for"',
    "line-length = 0",
    "line-length = true",
    'line-length = "100"',
    'device-name = "1x"',
    'device-name = ""',
    'unsafe-fixes = "yes"',
    "add-placement = 1",
    "per-file-ignores = []",
    '[per-file-ignores]\n"*.py" = "PF4"',
    '[per-file-ignores]\n"*.py" = ["PF7"]',
    '[per-file-ignores]\n"!a.py" = ["PF4"]',
)
# What a schema of this size cannot say; config.py says it.
BEYOND = ('exclude = ["[z-a]"]', 'device-idiom = "accelerator"\ntarget-torch = "2.0"')


def taken(folder: Path, text: str) -> bool:
    (folder / "placefix.toml").write_text(text, encoding="utf-8")
    try:
        Configs().at(str(folder))
    except ConfigError:
        return False
    return True


def test_it_is_a_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_the_keys_are_those_of_the_configuration() -> None:
    assert list(KEYS) == list(config_keys.KEYS)


def test_a_key_says_what_it_is_with_an_example_that_holds(tmp_path: Path) -> None:
    for key, described in KEYS.items():
        assert described["description"].endswith("."), key
        assert described["examples"], key
        for example in described["examples"]:
            VALIDATOR.validate({key: example})
            config_keys.KEYS[key](example)


def test_the_defaults_are_those_of_the_configuration() -> None:
    defaults = {key: described["default"] for key, described in KEYS.items() if "default" in described}
    assert set(KEYS) - set(defaults) == {"select", "line-length", "required-version", "extend", "fixable"}
    VALIDATOR.validate(defaults)
    built = config._build(defaults, "/", "", config.Options())
    assert built._replace(sets_torch=False) == config._build({}, "/", "", config.Options())


@pytest.mark.parametrize("text", GOOD)
def test_good_configurations(text: str, tmp_path: Path) -> None:
    VALIDATOR.validate(tomllib.loads(text))
    assert taken(tmp_path, text)


@pytest.mark.parametrize("text", BAD)
def test_bad_configurations(text: str, tmp_path: Path) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(text))
    assert not taken(tmp_path, text)


@pytest.mark.parametrize("text", BEYOND)
def test_only_the_configuration_knows(text: str, tmp_path: Path) -> None:
    VALIDATOR.validate(tomllib.loads(text))
    assert not taken(tmp_path, text)


def test_a_code_of_the_schema_fits_a_rule() -> None:
    codes = SCHEMA["definitions"]["code"]["enum"]
    assert {rule.code for rule in RULES} < set(codes)
    for code in codes:
        rule_selection.select((code,), ())


def test_the_command_prints_it() -> None:
    done = subprocess.run([sys.executable, "-m", "placefix", "schema"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == SCHEMA
