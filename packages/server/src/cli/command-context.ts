import { AsyncLocalStorage } from "node:async_hooks";
import { userInfo } from "node:os";
import type { Config } from "../config.ts";
import type { Records } from "../records/records.ts";

const MAX_BYTES = 4096;

/** The first line of an input, at most 4096 characters; the rest is not read. */
async function readFirstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk.toString("utf8");
    if (text.includes("\n") || text.length > MAX_BYTES) break;
  }
  return text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Resources opened by the process that owns the data folder. */
export type Owner = { readonly config: Config; readonly records: Records };

/**
 * Execution context of a command: its own process, or the owner of the data folder for a caller on its control socket.
 */
export type CommandContext = {
  readonly out: Output;
  readonly err: Output;
  /** Base of relative paths. */
  readonly cwd: string;
  /** Name for the audit trail. */
  readonly actor: string;
  /** The first line of the caller's standard input, if the command reads one. */
  readonly input: () => Promise<string>;
  /** Aborted when the command should end. */
  readonly signal: () => AbortSignal;
  /** Absent in a separate process, where the command opens what it needs. */
  readonly owner?: Owner;
};

let firstLine: Promise<string> | undefined;

const own: CommandContext = {
  get out() {
    return process.stdout;
  },
  get err() {
    return process.stderr;
  },
  get cwd() {
    return process.cwd();
  },
  actor: `cli:${userName()}`,
  // Kept: a command that the owner declines after it was sent the line runs here.
  input: () => (firstLine ??= readFirstLine(process.stdin)),
  signal: stopSignal,
};

const contexts = new AsyncLocalStorage<CommandContext>();

export const commandContext = (): CommandContext => contexts.getStore() ?? own;

export function runInContext<T>(given: CommandContext, work: () => Promise<T>): Promise<T> {
  return contexts.run(given, work);
}

/** A container may run under a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/** Aborted by Ctrl-C or SIGTERM, once: a second one ends the process. */
function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopped.abort(new Error("stop requested")));
  }
  return stopped.signal;
}
