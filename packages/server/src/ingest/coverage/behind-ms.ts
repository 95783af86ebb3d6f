import type { Connector } from "../../definition/connector.ts";

const SOCKET_BEHIND_MS = 15_000;
const PULL_BEHIND_MS = 30_000;
/** How far derived rows may lag behind the newest stored ones (ms) before results are incomplete. */
export const DERIVED_BEHIND_MS = 60_000;

/** Maximum age (ms) of a stream's watermark before it counts as behind. */
export function behindMs(connector: Connector): number {
  return connector.kind === "socket" ? SOCKET_BEHIND_MS : PULL_BEHIND_MS + 2000 * connector.everySeconds;
}

/** Age (ms) at which rows being stored count as late: results are incomplete until they are derived. */
export const lateMs = (connector: Connector): number => Math.max(DERIVED_BEHIND_MS, behindMs(connector));
