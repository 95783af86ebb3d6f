import { DatabaseError, RecordsError, type RecordsProblem } from "../records/records-error.ts";

const AWAY: ReadonlySet<RecordsProblem> = new Set(["busy", "unreachable", "disk_full"]);
/**
 * SQLSTATEs: the connection was lost, the server has no space or connection left, is shutting down, is read-only, or
 * cancelled a statement or transaction that took too long.
 */
const AWAY_CODE = /^(08|53|57P|57014|25006|25P03)/;

/** Whether the failure means that the control records are unavailable, and not that the request is wrong. */
export function isRecordsAway(error: unknown): boolean {
  if (error instanceof RecordsError) return AWAY.has(error.problem);
  return error instanceof DatabaseError && AWAY_CODE.test(error.code ?? "");
}
