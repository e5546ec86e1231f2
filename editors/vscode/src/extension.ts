/** Starts `placefix server` from the user's environment, and shows its findings, fixes and state in VS Code. */

import * as vscode from "vscode";
import { type Executable, LanguageClient, State } from "vscode-languageclient/node";

const FIX_ALL = "source.fixAll.placefix";
const FIX_ALL_UNSAFE = "source.unsafeFixes.placefix";

let client: LanguageClient | undefined;
let output: vscode.OutputChannel;
let status: vscode.StatusBarItem;
// One start or stop at a time: settings may change while the server starts.
let transition: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("placefix");
  status = vscode.window.createStatusBarItem("placefix.findings", vscode.StatusBarAlignment.Right, 50);
  status.name = "placefix";
  status.command = "workbench.actions.view.problems";
  context.subscriptions.push(
    output,
    status,
    vscode.commands.registerCommand("placefix.fixAll", () => applyAll(FIX_ALL)),
    vscode.commands.registerCommand("placefix.fixAllUnsafe", () => applyAll(FIX_ALL_UNSAFE)),
    vscode.commands.registerCommand("placefix.restart", restart),
    vscode.commands.registerCommand("placefix.showOutput", () => output.show()),
    vscode.languages.onDidChangeDiagnostics(showStatus),
    vscode.window.onDidChangeActiveTextEditor(showStatus),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("placefix")) {
        void restart();
      }
    }),
  );
  const python = await pythonApi();
  const changed: unknown = python?.environments?.onDidChangeActiveEnvironmentPath?.(() => void restart());
  if (changed instanceof vscode.Disposable) {
    context.subscriptions.push(changed);
  }
  await restart();
}

export function deactivate(): Promise<void> {
  transition = transition.then(stop);
  return transition;
}

function restart(): Promise<void> {
  transition = transition.then(stop).then(start);
  return transition;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose().catch((error: unknown) => output.appendLine(String(error)));
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("placefix");
  if (!settings.get<boolean>("enable", true)) {
    showStatus();
    return;
  }
  const run = await executable(settings);
  output.appendLine(`${run.command} ${(run.args ?? []).join(" ")}`);
  const started = new LanguageClient("placefix", "placefix", run, {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
      { notebook: "jupyter-notebook", language: "python" },
    ],
    initializationOptions: initializationOptions(settings),
    outputChannel: output,
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/{placefix.toml,pyproject.toml,*.py}") },
  });
  started.onDidChangeState(showStatus);
  client = started;
  try {
    await started.start();
  } catch (error) {
    client = undefined;
    output.appendLine(String(error));
    const choice = await vscode.window.showErrorMessage(
      `placefix: the server did not start. Install placefix with its server extra in the selected environment, or set "placefix.path".`,
      "Show Output",
      "Open Settings",
    );
    if (choice === "Show Output") {
      output.show();
    } else if (choice === "Open Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "placefix.path");
    }
  }
  showStatus();
}

/** The command of the server: the setting, the interpreter that the Python extension has selected, or the PATH. */
async function executable(settings: vscode.WorkspaceConfiguration): Promise<Executable> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const options = { cwd: folder };
  const path = settings.get<string>("path", "").trim();
  if (path) {
    return { command: path.replace("${workspaceFolder}", folder ?? ""), args: ["server"], options };
  }
  const interpreter: unknown = (await pythonApi())?.environments?.getActiveEnvironmentPath?.()?.path;
  if (typeof interpreter === "string" && /python[^/\\]*$/i.test(interpreter)) {
    return { command: interpreter, args: ["-m", "placefix", "server"], options };
  }
  return { command: "placefix", args: ["server"], options };
}

// The API of the Python extension has no published types that fit every version of it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function pythonApi(): Promise<any> {
  const extension = vscode.extensions.getExtension("ms-python.python");
  return extension && (extension.isActive ? extension.exports : extension.activate());
}

/** The keys of a configuration file, those that are set here. */
function initializationOptions(settings: vscode.WorkspaceConfiguration): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const select = settings.get<string[]>("select", []);
  const ignore = settings.get<string[]>("ignore", []);
  const config = settings.get<string>("config", "");
  if (select.length) {
    options["select"] = select;
  }
  if (ignore.length) {
    options["ignore"] = ignore;
  }
  if (settings.get<boolean>("unsafeFixes", false)) {
    options["unsafe-fixes"] = true;
  }
  if (config) {
    options["config"] = config;
  }
  return options;
}

/** Ask the server for one action on the whole file, and apply it. */
async function applyAll(kind: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || client?.state !== State.Running) {
    return;
  }
  const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    editor.document.uri,
    whole,
    kind,
  );
  const action = actions.find((found) => found.kind?.value === kind);
  if (!action?.edit) {
    vscode.window.setStatusBarMessage("placefix: nothing to fix", 3000);
    return;
  }
  await vscode.workspace.applyEdit(action.edit);
}

function showStatus(): void {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") {
    status.hide();
    return;
  }
  if (client?.state !== State.Running) {
    status.text = "$(circle-slash) placefix";
    status.tooltip = "placefix is not running";
  } else {
    const found = documents(editor)
      .flatMap((uri) => vscode.languages.getDiagnostics(uri))
      .filter((each) => each.source === "placefix");
    status.text = found.length ? `$(warning) placefix: ${found.length}` : "$(check) placefix";
    status.tooltip = found.length === 1 ? "1 finding in this file" : `${found.length} findings in this file`;
  }
  status.show();
}

/** The documents of the file in an editor: all cells of a notebook. */
function documents(editor: vscode.TextEditor): vscode.Uri[] {
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  const cells = notebook?.getCells().map((cell) => cell.document.uri) ?? [];
  return cells.some((uri) => uri.toString() === editor.document.uri.toString()) ? cells : [editor.document.uri];
}
