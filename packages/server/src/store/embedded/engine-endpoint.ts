import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "../connection.ts";

const FILE = "engine.json";

/** Address of a folder's engine, its process id and that of its owner, for other processes of this machine. */
export type EngineEndpoint = Address & { readonly pid: number; readonly owner?: number };

export function writeEndpoint(folder: string, address: Address, pid: number): void {
  const file = join(folder, FILE);
  writeFileSync(`${file}.new`, JSON.stringify({ ...address, pid, owner: process.pid }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Undefined if there is none; a power failure may leave the file empty. */
export function readEndpoint(folder: string): EngineEndpoint | undefined {
  const file = join(folder, FILE);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text === "" ? undefined : (JSON.parse(text) as EngineEndpoint);
}

export function removeEndpoint(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Whether its owner was killed: the engine is about to end by itself, and keeps the folder locked until it has. */
export function isOrphaned(folder: string): boolean {
  const owner = readEndpoint(folder)?.owner;
  return owner !== undefined && !isAlive(owner);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
