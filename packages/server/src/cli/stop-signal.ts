/** Aborted by Ctrl-C or SIGTERM, once: a second one ends the process. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopped.abort(new Error("told to stop")));
  }
  return stopped.signal;
}
