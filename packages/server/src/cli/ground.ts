import { AsyncLocalStorage } from "node:async_hooks";
import { userInfo } from "node:os";
import type { Config } from "../config.ts";
import type { Records } from "../records/records.ts";

const MAX_BYTES = 4096;

/** The first line of an input, at most 4096 characters of it; what follows is left unread. */
async function readFirstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk.toString("utf8");
    if (text.includes("\n") || text.length > MAX_BYTES) break;
  }
  return text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** What the process that owns the data folder has open. */
export type Owner = { readonly config: Config; readonly records: Records };

/** What a command runs in: a process of its own, or the owner of the data folder for a caller on its control socket. */
export type Ground = {
  readonly out: Output;
  readonly err: Output;
  /** Where relative paths begin. */
  readonly cwd: string;
  /** Who is named in the audit trail. */
  readonly actor: string;
  /** The first line of the caller's standard input, where the command takes one. */
  readonly input: () => Promise<string>;
  /** Aborted when the command is to end. */
  readonly signal: () => AbortSignal;
  /** Absent in a process of its own: the command opens what it needs. */
  readonly owner?: Owner;
};

const own: Ground = {
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
  input: () => readFirstLine(process.stdin),
  signal: stopSignal,
};

const grounds = new AsyncLocalStorage<Ground>();

export const ground = (): Ground => grounds.getStore() ?? own;

export function runOn<T>(given: Ground, work: () => Promise<T>): Promise<T> {
  return grounds.run(given, work);
}

/** A container may run under a number that has no name. */
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
    process.once(signal, () => stopped.abort(new Error("told to stop")));
  }
  return stopped.signal;
}
