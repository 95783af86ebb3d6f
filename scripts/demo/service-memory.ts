/**
 * For a laptop with other work: half a minute of backfill makes V8 keep 130 MB for short-lived values and the C library
 * keep one arena per thread permanently, of which an idle service needs a fraction.
 */
export const SERVICE_FLAGS: readonly string[] = ["--max-semi-space-size=16"];
export const SERVICE_ENV: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: "2",
  // Fixed: by default the C library raises it to the largest block freed, and such blocks then stay in its heap.
  MALLOC_MMAP_THRESHOLD_: "262144",
  MALLOC_TRIM_THRESHOLD_: "262144",
};
