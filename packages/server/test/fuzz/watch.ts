import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * `externalMiB` is buffers and WebAssembly; `anonymousMiB` is resident memory without a file, NaN where the system does
 * not report it.
 */
export type Memory = Readonly<Record<"heapMiB" | "externalMiB" | "anonymousMiB" | "rssMiB", number>>;

const MIB = 1024 * 1024;
const LOOK_MS = 250;
setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

/** The memory of the process after garbage collection. */
export function memoryNow(): Memory {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: mib(heapUsed), externalMiB: mib(external), anonymousMiB: mib(anonymousBytes()), rssMiB: mib(rss) };
}

const mib = (bytes: number): number => Math.round(bytes / MIB);

function anonymousBytes(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** Polls whether a service is ready; `stop` returns the slowest response in milliseconds. */
export function watchReady(url: string): { readonly stop: () => Promise<number> } {
  let slowest = 0;
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const started = performance.now();
      const reply = await fetch(`${url}/ready`);
      await reply.arrayBuffer();
      slowest = reply.ok ? Math.max(slowest, performance.now() - started) : Infinity;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  const looking = look();
  return {
    stop: async () => {
      over.abort();
      await looking;
      return slowest;
    },
  };
}
