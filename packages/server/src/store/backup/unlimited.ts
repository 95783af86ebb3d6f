/** For reading that belongs to no request: it may take as long as it takes, by one thread of the engine. */
export const UNLIMITED = {
  settings: { max_execution_time: 0, max_memory_usage: 4_000_000_000, max_threads: 1 },
} as const;
