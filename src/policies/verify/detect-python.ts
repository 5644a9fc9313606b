import type { Folder, Found } from "./detect-tests.ts";

/** pytest, by its own configuration or by a package that it usually tests; run inside the locked environment. */
export function detectPython(folder: Folder): Found | null {
  const from = evidence(folder);
  if (from !== null) return { command: inEnvironment(folder, "pytest"), from, note: "" };
  if (/^\[tox\]|^\[testenv/m.test(folder.text("tox.ini")))
    return { command: "tox", from: "tox.ini", note: "" };
  if (!folder.has("manage.py")) return null;
  return { command: inEnvironment(folder, "python manage.py test"), from: "manage.py", note: "" };
}

function evidence({ has, text }: Folder): string | null {
  if (has("pytest.ini")) return "pytest.ini";
  if (has("pyproject.toml") && isPackage(text("pyproject.toml"))) return "pyproject.toml";
  if (text("tox.ini").includes("[pytest]")) return "tox.ini";
  if (text("setup.cfg").includes("[tool:pytest]")) return "setup.cfg";
  return ["conftest.py", "tests/conftest.py"].find(has) ?? null;
}

/** A pyproject.toml that only configures a formatter says nothing about tests. */
function isPackage(text: string): boolean {
  const tables = text.match(/^\s*\[[^\]\n]+\]/gm) ?? [];
  return (
    tables.length === 0 ||
    /pytest|^\s*\[(project|build-system|tool\.(poetry|hatch|pdm|flit|uv))\b/m.test(text)
  );
}

const locks: readonly (readonly [string, string])[] = [
  ["uv.lock", "uv run"],
  ["poetry.lock", "poetry run"],
  ["pdm.lock", "pdm run"],
  ["Pipfile.lock", "pipenv run"],
];

function inEnvironment({ has }: Folder, tool: "pytest" | "python manage.py test"): string {
  const lock = locks.find(([name]) => has(name));
  if (lock !== undefined) return `${lock[1]} ${tool}`;
  const venv = [".venv", "venv"].find((name) => has(`${name}/bin/python`));
  if (venv === undefined) return tool;
  return tool === "pytest" ? `${venv}/bin/python -m pytest` : `${venv}/bin/${tool}`;
}
