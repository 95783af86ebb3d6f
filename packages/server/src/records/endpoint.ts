import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** What the process that has the records of a data folder open tells the others, in `<data dir>/almanac.json`. */
const endpoint = z.object({
  pid: z.int(),
  /** The Unix socket on which it shares the control records. */
  records_socket: z.string(),
  started_at: z.string(),
});

export type Endpoint = z.output<typeof endpoint>;

const fileIn = (dataDir: string): string => join(dataDir, "almanac.json");

/** The endpoint of the running service, or undefined where none was written or its process is gone. */
export async function readEndpoint(dataDir: string): Promise<Endpoint | undefined> {
  const text = await readFile(fileIn(dataDir), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = endpoint.safeParse(parseJson(text));
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : undefined;
}

/** Replaces the file in one step: a reader sees the old or the new one, never half of it. */
export async function writeEndpoint(dataDir: string, value: Endpoint): Promise<void> {
  const draft = `${fileIn(dataDir)}.${value.pid}`;
  await writeFile(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(dataDir));
}

/** Removes the file if it is still this process's. */
export async function removeEndpoint(dataDir: string, pid: number): Promise<void> {
  if ((await readEndpoint(dataDir))?.pid === pid) await rm(fileIn(dataDir), { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
