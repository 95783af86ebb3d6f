import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage, runCommand } from "citty";
import { CommandError, exitCodeOf } from "./command.ts";
import { commandContext, type Output } from "./command-context.ts";

export type AnyCommand<T extends ArgsDef = ArgsDef> = CommandDef<T>;

type Group = {
  readonly command: AnyCommand;
  readonly path: readonly string[];
  readonly isComplete: boolean;
  /** A name that is no command of the group. */
  readonly unknown?: string;
};

/**
 * Runs `almanac …` and returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not the same. Results go
 * to standard output, everything else to standard error; with --json an error is one JSON line there.
 */
export async function runCommandLine(root: AnyCommand, rawArgs: readonly string[]): Promise<number> {
  const { out, err } = commandContext();
  allowClosedPipe(out);
  const { command, path, isComplete, unknown } = await findCommand(root, rawArgs);
  const own = rawArgs.includes("--") ? rawArgs.slice(0, rawArgs.indexOf("--")) : rawArgs;
  if (own.includes("--help") || own.includes("-h")) {
    out.write(`${await usageOf(command, path, out.isTTY === true)}\n`);
    return 0;
  }
  if (!isComplete) {
    err.write(`${await usageOf(command, path, err.isTTY === true)}\n`);
    return 2;
  }
  try {
    if (unknown !== undefined) {
      const known = Object.keys((await resolved(command.subCommands)) ?? {});
      throw new CommandError(2, `Unknown command ${unknown}; there are ${known.join(", ")}`);
    }
    await runCommand(root, { rawArgs: [...rawArgs] });
    return 0;
  } catch (error) {
    err.write(`${renderError(error, own.includes("--json"))}\n`);
    return exitCodeOf(error);
  }
}

/** `almanac key list | head -1`: a reader that closes the pipe early is not a failure. */
export function allowClosedPipe(out: Output): void {
  if (out === process.stdout && out.listenerCount("error", ignoreClosedPipe) === 0) out.on("error", ignoreClosedPipe);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** A sentence for people, one JSON line with --json. */
export function renderError(error: unknown, asJson: boolean): string {
  const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  if (asJson) return JSON.stringify({ error: { exit_code: exitCodeOf(error), message } });
  return `almanac: ${message}`;
}

async function usageOf(command: AnyCommand, path: readonly string[], isTerminal: boolean): Promise<string> {
  const parent = { meta: { name: path.slice(0, -1).join(" ") } };
  const text = await renderUsage(command, parent);
  return isTerminal ? text : stripVTControlCharacters(text);
}

/** Resolves the names before the first option; complete if they end at a command that can run. */
async function findCommand(root: AnyCommand, rawArgs: readonly string[]): Promise<Group> {
  const path: string[] = [(await resolved(root.meta))?.name ?? "almanac"];
  let command = root;
  for (const name of rawArgs) {
    const below = await resolved(command.subCommands);
    if (!below || name.startsWith("-")) break;
    const next = await resolved(below[name]);
    if (!next) return { command, path, isComplete: true, unknown: name };
    command = next as AnyCommand;
    path.push(name);
  }
  return { command, path, isComplete: command.run !== undefined };
}

async function resolved<T>(value: T | Promise<T> | (() => T | Promise<T>) | undefined): Promise<T | undefined> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}
