import { AsyncLocalStorage } from "node:async_hooks";
import { userInfo } from "node:os";
import type { Config } from "../config.ts";
import type { Records } from "../records/records.ts";
import { readFirstLine } from "./read-first-line.ts";
import { stopSignal } from "./stop-signal.ts";

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
