import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll } from "vitest";

const MAX_BYTES = 500_000_000;

// A process runs many test files whose modules stay loaded: V8 collected all of that again and again because of the
// off-heap memory of embedded databases and buffers. Counted with the heap, it is collected as the total grows, and
// after files that leave much of it; memory that files share does not count, since a collection takes seconds.
setFlagsFromString("--external-memory-accounted-in-global-limit");
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** External memory left by the last collection; this module is loaded again for each file, the global is not. */
const shared = globalThis as { keptExternalBytes?: number };

afterAll(() => {
  const { external } = process.memoryUsage();
  shared.keptExternalBytes = Math.min(shared.keptExternalBytes ?? 0, external);
  if (external - shared.keptExternalBytes < MAX_BYTES) return;
  collect();
  shared.keptExternalBytes = process.memoryUsage().external;
});
