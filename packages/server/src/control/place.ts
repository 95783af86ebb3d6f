import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";

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
