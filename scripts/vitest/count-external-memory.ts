import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll } from "vitest";

const MOST_BYTES = 500_000_000;

// A process runs many files, and what their modules hold stays: V8 collected all of it again and again for memory that
// embedded databases and buffers took outside of the heap. Counted with the heap, it is collected as the whole grows,
// and where files left much of it: a collection takes seconds, so that what files share and keep is no reason for one.
setFlagsFromString("--external-memory-accounted-in-global-limit");
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What the last collection left outside of the heap; this module is loaded anew for each file, the global is not. */
const shared = globalThis as { keptExternalBytes?: number };

afterAll(() => {
  const { external } = process.memoryUsage();
  shared.keptExternalBytes = Math.min(shared.keptExternalBytes ?? 0, external);
  if (external - shared.keptExternalBytes < MOST_BYTES) return;
  collect();
  shared.keptExternalBytes = process.memoryUsage().external;
});
