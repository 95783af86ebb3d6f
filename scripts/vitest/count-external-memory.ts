import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll } from "vitest";

const MOST_BYTES = 500_000_000;

// A process runs many files, and what their modules hold stays: V8 collected all of it again and again for memory that
// embedded databases and buffers took outside of the heap. Counted with the heap, it is collected as the whole grows,
// and where a file left much of it.
setFlagsFromString("--external-memory-accounted-in-global-limit");
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

afterAll(() => {
  if (process.memoryUsage().external > MOST_BYTES) collect();
});
