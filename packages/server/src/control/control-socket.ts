import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { z } from "zod";

const SOCKET = "control.sock";
/** sun_path holds 108 bytes. */
const MAX_BYTES = 100;

/**
 * The control socket of a data folder; if the path is too long for a socket, it goes through a file descriptor of the
 * folder.
 */
export function openSocketPath(dataDir: string): { readonly path: string; readonly release: () => void } {
  const path = join(dataDir, SOCKET);
  if (Buffer.byteLength(path) <= MAX_BYTES) return { path, release: () => undefined };
  const folder = openSync(dataDir, "r");
  return { path: `/proc/self/fd/${folder}/${SOCKET}`, release: () => closeSync(folder) };
}

/** Identifies the stores of these settings: the owner refuses commands for stores other than its own. */
export function storesDigest({ dataDir, clickhouseUrl, clickhouseCluster, databaseUrl }: Config): string {
  const stores = [clickhouseUrl ?? dataDir, clickhouseCluster ?? null, databaseUrl ?? dataDir];
  return createHash("sha256").update(JSON.stringify(stores)).digest("hex");
}

/** A command line for the owner of the data folder: `POST /commands`, answered with one JSON line per frame. */
export const commandRequest = z.strictObject({
  /** storesDigest of the caller's settings. */
  stores: z.string().max(100),
  argv: z.array(z.string().max(10_000)).min(1).max(100),
  cwd: z.string().max(5000),
  actor: z.string().max(200),
  /** The first line of standard input, if the command reads one. */
  input: z.string().max(5000).optional(),
  /** Width of the terminal that shows standard error; absent if there is none. */
  columns: z.int().positive().optional(),
});

export type CommandRequest = z.output<typeof commandRequest>;

/** `job`: the number under which the command continues when its caller disconnects; null if it ends then. */
export type Frame =
  | { readonly job: number | null }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: number };
