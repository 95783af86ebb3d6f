import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";

const SOCKET = "control.sock";
/** sun_path holds 108 bytes. */
const MAX_BYTES = 100;

/** The control socket of a data folder; a folder whose path is too long for a socket is reached by its descriptor. */
export function openSocketPath(dataDir: string): { readonly path: string; readonly release: () => void } {
  const path = join(dataDir, SOCKET);
  if (Buffer.byteLength(path) <= MAX_BYTES) return { path, release: () => undefined };
  const folder = openSync(dataDir, "r");
  return { path: `/proc/self/fd/${folder}/${SOCKET}`, release: () => closeSync(folder) };
}

/** Names the stores of these settings: a command for others than the owner has open is none of the owner's business. */
export function storesDigest({ dataDir, clickhouseUrl, clickhouseCluster, databaseUrl }: Config): string {
  const stores = [clickhouseUrl ?? dataDir, clickhouseCluster ?? null, databaseUrl ?? dataDir];
  return createHash("sha256").update(JSON.stringify(stores)).digest("hex");
}
