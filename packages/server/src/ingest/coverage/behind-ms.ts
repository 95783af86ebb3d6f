import type { Connector } from "../../definition/connector.ts";

const SOCKET_BEHIND_MS = 15_000;
const PULL_BEHIND_MS = 30_000;
/** How far derived rows may be behind the newest stored ones before answers are incomplete. */
export const DERIVED_BEHIND_MS = 60_000;

/** How old the moment up to which a stream is complete may get before it is behind. */
export function behindMs(connector: Connector): number {
  return connector.kind === "socket" ? SOCKET_BEHIND_MS : PULL_BEHIND_MS + 2000 * connector.everySeconds;
}

/** Rows older than this when they are stored are late: answers are incomplete until what is derived of them is there. */
export const lateMs = (connector: Connector): number => Math.max(DERIVED_BEHIND_MS, behindMs(connector));
