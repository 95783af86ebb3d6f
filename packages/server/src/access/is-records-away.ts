import { DatabaseError, RecordsError, type RecordsProblem } from "../records/records-error.ts";

const AWAY: ReadonlySet<RecordsProblem> = new Set(["busy", "unreachable", "disk_full"]);
/**
 * SQLSTATEs: the connection was lost, the server has no room or connection left, is being stopped, is only read, or gave
 * up a statement or a transaction that took too long.
 */
const AWAY_CODE = /^(08|53|57P|57014|25006|25P03)/;

/** Whether it failed because the control records cannot be used now: nothing is wrong with what was asked. */
export function isRecordsAway(error: unknown): boolean {
  if (error instanceof RecordsError) return AWAY.has(error.problem);
  return error instanceof DatabaseError && AWAY_CODE.test(error.code ?? "");
}
