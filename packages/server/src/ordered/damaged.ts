/** Data read from a file differs from what was written to it. */
export class DamagedError extends Error {}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** A page lies beyond the end of the file, or cannot be read. */
const SQLITE_IOERR_SHORT_READ = 522;
const SQLITE_IOERR_READ = 266;

/** Whether a file has to be rebuilt because nothing in it can be trusted any more. */
export function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedError) return true;
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode);
  if (code === SQLITE_IOERR_SHORT_READ || code === SQLITE_IOERR_READ) return true;
  // The higher bytes are details of the same error.
  return (code & 255) === SQLITE_CORRUPT || (code & 255) === SQLITE_NOTADB;
}
