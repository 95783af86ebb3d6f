import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const CHANNEL = "undici:request:create";

/** The pid of the embedded engine in a folder. */
export function enginePid(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, "engine.json"), "utf8")) as { pid: number }).pid;
}

/** Kills the engine just before the next statement that matches is sent to it. */
export function killBefore(
  folder: string,
  statement: RegExp,
): { readonly killed: Promise<void>; readonly off: () => void } {
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  const look = (message: unknown): void => {
    const { path, body } = (message as { request: { path: string; body: unknown } }).request;
    const inUrl = new URLSearchParams(path.slice(path.indexOf("?"))).get("query") ?? "";
    const text = Buffer.isBuffer(body) && inUrl === "" ? body.toString("utf8", 0, 200) : inUrl;
    if (!statement.test(text)) return;
    off();
    process.kill(enginePid(folder), "SIGKILL");
    resolve();
  };
  const off = (): void => void unsubscribe(CHANNEL, look);
  subscribe(CHANNEL, look);
  return { killed, off };
}
