import type { Started } from "./child-process.ts";
import { childrenOf, residentMiB } from "./memory.ts";
import { cpuSeconds } from "./process-use.ts";

export type StreamSaid = {
  readonly name: string;
  readonly state: string;
  readonly note: string | null;
  /** World seconds. */
  readonly lagSeconds: number | null;
  readonly rowsStored: number;
  readonly errors: number;
  readonly lastError: string | null;
  readonly gaps: { readonly fillable: number; readonly unfillable: number };
};

/** How everything was within one second. */
export type Sample = {
  /** Unix ms. */
  readonly at: number;
  readonly streams: readonly StreamSaid[];
  readonly derivations: Readonly<Record<string, number>>;
  readonly hosts: Readonly<Record<string, { readonly waiting: number }>>;
  /** The longest the service's event loop was late. */
  readonly loopMs: number;
  readonly heapMiB: number;
  readonly mib: Readonly<Record<Process, number>>;
  readonly cpuSeconds: Readonly<Record<Process, number>>;
};

export type Process = "exchange" | "service" | "engine";

export type Watch = {
  readonly latest: () => Sample | undefined;
  readonly count: () => number;
  readonly since: (first: number) => readonly Sample[];
};

type Said = Omit<Sample, "at" | "mib" | "cpuSeconds">;

/** Gathers what the service says of itself each second, with the memory and CPU of the three processes. */
export function watchService(service: Started, exchangePid: number): Watch {
  const samples: Sample[] = [];
  const enginePid = childrenOf(service.pid).toSorted((a, b) => residentMiB(b) - residentMiB(a))[0] ?? 0;
  const each = (read: (pid: number) => number): Record<Process, number> => ({
    exchange: read(exchangePid),
    service: read(service.pid),
    engine: read(enginePid),
  });
  service.child.on("message", (message) => {
    samples.push({ at: Date.now(), ...(message as Said), mib: each(residentMiB), cpuSeconds: each(cpuSeconds) });
  });
  return { latest: () => samples.at(-1), count: () => samples.length, since: (first) => samples.slice(first) };
}
