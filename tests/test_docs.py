"""The documentation: the site is built, its pages say what the program does, and what they show is what it prints."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import placefix
from placefix import cli, config_keys
from placefix.rules import RULES
from placefix.schema import schema
from placefix.simulate import installation
from test_layers import FACTS, LAYERS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "tools"))

import make_picture  # noqa: E402
import pages  # noqa: E402
import transcripts  # noqa: E402

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
MARKDOWN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted(DOCS.glob("*.md"))]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as strictly as it can be."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        str(ROOT / "mkdocs.yml"),
        "-d",
        str(folder),
    ]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.proof  # mkdocs builds the site
def test_every_rule_has_a_page_and_a_line_in_the_list(site: Path) -> None:
    listed = (site / "rules" / "index.html").read_text()
    for rule in RULES:
        page = (site / "rules" / f"{rule.code}.html").read_text()
        assert f'href="{rule.code}.html"' in listed
        assert rule.name in page
        severity = ("Severity",) if "PF1" < rule.code < "PF4" else ()
        for section in ("Why", *severity, "Fix safety", "Turning it off"):
            assert f">{section}<" in page, f"{rule.code}: {section}"
    assert {page.stem for page in (site / "rules").glob("*.html")} == {"index", *(rule.code for rule in RULES)}


@pytest.mark.proof  # mkdocs builds the site
def test_what_is_made_of_the_program_is_in_the_site(site: Path) -> None:
    assert "<!-- made of" not in "".join(page.read_text() for page in site.rglob("*.html"))
    assert all(f'<h3 id="{key}">' in (site / "configuration.html").read_text() for key in config_keys.KEYS)
    assert '<h2 id="placefix-apply">' in (site / "command-line.html").read_text()
    assert (site / "placefix.schema.json").exists()
    assert not (site / "tools").exists() and not (site / "example").exists()


@pytest.mark.proof  # mkdocs builds the site
def test_the_pages_ask_nobody_else_for_anything(site: Path) -> None:
    asks = re.compile(r'(?:\bsrc="?|<link[^>]*\bhref="?|@import\s*|url\(["\']?)https?://[^\s"\')>]+')
    for page in (*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.svg")):
        assert not asks.findall(page.read_text()), page


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_example_of_a_rule_is_one_of_its_cases(rule: pages.Rule) -> None:
    shown = pages.example(rule)
    assert shown is not None, "no case shows it"
    assert shown.findings
    assert "# want" not in shown.before
    case = pages.CASES / rule.code / f"{shown.name}.py"
    golden = case.with_suffix(".fixed.py")
    assert shown.after == pages.undirected((golden if golden.exists() else case).read_text(encoding="utf-8"))
    assert rule.code not in pages.SHOWN or shown.name == pages.SHOWN[rule.code]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_column_of_safe_fixes_is_true(rule: pages.Rule) -> None:
    """By the cases of the rule: one has a safe fix, or none does."""
    claimed = pages.safe_fix(rule)
    found = set()
    for path in sorted((pages.CASES / rule.code).glob("*.py")):
        if "# want:" in path.read_text(encoding="utf-8-sig") and rule.code != "PF400":
            fixes = [finding.fix for finding in pages.of_case(rule, path).findings]
            found |= {fix.applicability.value for fix in fixes if fix is not None}
            if claimed == "yes" and "safe" in found:
                return
    assert rule.code == "PF400" or claimed == ("unsafe only" if "unsafe" in found else "no"), found


def test_the_glossary_is_short_and_sorted() -> None:
    terms = re.findall(r"^\| ([^|]+) \| .+ \|$", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)[1:]
    assert 30 < len(terms) <= 40
    assert terms == sorted(terms)


QUESTIONS = (DOCS / "reading-the-code.md").read_text(encoding="utf-8").split("\n## ")[1:]


def test_ten_questions_about_the_code_are_answered() -> None:
    assert [question.partition(".")[0] for question in QUESTIONS] == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.partition("\n")[0])
def test_the_files_that_answer_a_question_hold_what_to_look_for(question: str) -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (`.+`) \| .+ \|$", question, re.MULTILINE)
    assert 1 <= len(rows) <= 3
    for file, named in rows:
        text = (ROOT / "src" / "placefix" / file).read_text(encoding="utf-8")
        names = re.findall(r"`([^`]+)`", named)
        assert names
        for name in names:
            if file.endswith(".tsv"):
                assert re.search(rf"^(?:\S+ )*{name}[ \t]", text, re.MULTILINE), f"{file}: no row of {name}"
            else:
                assert defines(ast.parse(text), name.split(".")), f"{file} does not define {name}"


def defines(tree: ast.AST, path: list[str]) -> bool:
    """Whether a module or class defines a name; with more than one name, a class with the method of that name."""
    for node in ast.iter_child_nodes(tree):
        names = [node.name] if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else []
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        if path[0] in names and (len(path) == 1 or defines(node, path[1:])):
            return True
    return False


def test_a_family_of_rules_has_a_name() -> None:
    assert {rule.code[:3] for rule in RULES} <= set(pages.FAMILIES)


def test_every_option_is_on_the_page_of_the_command_line() -> None:
    page = pages.command_line()
    told = subprocess.run(
        [sys.executable, "-m", "placefix", "--help"], capture_output=True, text=True, check=True
    ).stdout
    commands = re.findall(r"^  (\w+)  ", told.split("Commands:")[1], re.MULTILINE)
    assert "verify" in commands
    parts = dict(re.findall(r"^## placefix (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert sorted(parts) == sorted(commands)
    for command in commands:
        told = subprocess.run(
            [sys.executable, "-m", "placefix", command, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for option in re.findall(r"^  (?:-\w, )?(--[\w-]+)", told, re.MULTILINE):
            assert option == "--help" or option in parts[command], f"{command} {option}"


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_two_commands_are_marked() -> None:
    """The first two ```sh blocks of README.md set placefix up; `.ci/run` finds the second by its mark."""
    marked = re.findall(r"^(?:<!-- (.*) -->\n)?```sh$", README, re.MULTILINE)
    assert marked[:2] == ["first command", "test command"]
    assert "<!-- longest proofs -->\n```sh\n" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_example_of_the_readme() -> None:
    """Its lines are those of a script of the corpus, before and after; that is run there."""
    before, after = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    text = (ROOT / "corpus" / "scripts" / "readme_example.py").read_text(encoding="utf-8")
    outcome = placefix.fix_source(text)
    assert isinstance(outcome, placefix.Changed)
    assert before in text and before.count("\n") == 8
    definition, _, rest = after.partition("\n\n")
    assert definition + "\n" in outcome.text and rest in outcome.text


def test_the_changelog_knows_every_rule_and_command() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for rule in RULES:
        assert re.search(rf"^- {rule.code} {rule.name}\b", changes, re.MULTILINE), rule.code
    for command in cli.commands():
        assert re.search(rf"^- `placefix {command}\b", changes, re.MULTILINE), command


def test_the_changelog_has_a_section_for_the_version() -> None:
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(version for version in versions if version != "Unreleased") == placefix.__version__


def test_configurations_that_are_shown_are_good() -> None:
    shown = re.findall(
        r"^```toml\n(.*?)^```",
        (DOCS / "configuration.md").read_text() + pages.configuration(),
        re.MULTILINE | re.DOTALL,
    )
    assert len(shown) > len(config_keys.KEYS)
    for text in shown:
        table = tomllib.loads(text)
        jsonschema.validate(table.get("tool", {}).get("placefix", table), schema())


def test_the_example_of_the_api_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    text = (pages.CASES / "PF303" / "tuple_line.py").read_text()
    (tmp_path / "src" / "train.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    (shown,) = re.findall(r"^```python\n(.*?)^```", (DOCS / "python.md").read_text(), re.MULTILINE | re.DOTALL)
    names = {"text": text}
    exec(shown, names)
    assert type(names["outcome"]).__name__ == "Changed"
    assert "PF303" in capsys.readouterr().out


LONG = frozenset(("migrating",))  # its commands migrate a repository


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.battery] if page.stem in LONG else [])
        for page in transcripts.pages()
    ],
)
def test_what_commands_print(page: Path) -> None:
    """`python docs/tools/transcripts.py` rewrites the pages; what has changed is to be read."""
    text = page.read_text(encoding="utf-8")
    if transcripts.needs_torch(text) and (reason := installation.why_unsupported()) is not None:
        pytest.skip(reason)
    assert transcripts.commands(text)
    assert transcripts.rerun(text) == text


def test_the_picture_is_of_a_run_of_today() -> None:
    """`python docs/tools/make_picture.py` draws it anew. Coordinates are rich's business."""

    def said(svg: str) -> list[str]:
        return re.findall(r'<text class="placefix-(?:r\d+|matrix)"[^>]*>([^<]*)<', svg)

    drawn = make_picture.PICTURE.read_text(encoding="utf-8")
    assert len(said(drawn)) > 20
    assert said(drawn) == said(make_picture.picture())


@pytest.mark.parametrize(("heading", "modules"), [("## Modules", LAYERS), ("### The analyses: facts/", FACTS)])
def test_the_tables_of_the_architecture_have_the_modules_in_their_order(heading: str, modules: tuple[str, ...]) -> None:
    table = ARCHITECTURE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    named = [name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert named == [module for module in modules if module != "__main__"]


def test_the_table_of_the_architecture_has_the_folders_of_rules() -> None:
    table = ARCHITECTURE.partition("\n### The rules: rules/\n")[2].partition("\n#")[0]
    folders = {path.name for path in (ROOT / "src" / "placefix" / "rules").iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE)) == folders


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#\s]+)", page.read_text(encoding="utf-8")):
        made = target.startswith(("rules/", "placefix.schema.json"))
        assert made or (page.parent / target).exists(), target
