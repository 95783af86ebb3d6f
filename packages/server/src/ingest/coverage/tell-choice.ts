import type { PullConnector } from "../../definition/connector.ts";
import { behindMs } from "./behind-ms.ts";
import type { Written } from "./read-records.ts";
import { tellOff } from "./tell-off.ts";

/**
 * What a stream that chooses what it asks for brings, in a sentence: nobody can say of its venue that all is held, and
 * an answer without its rows looks the same when it is off or down.
 */
export function tellChoice(connector: PullConnector, { streams }: Written, now: number): string {
  const { name, title, holdsOnly } = connector;
  const row = streams.get(name);
  if (row === undefined) return `${title}: not started yet.`;
  if (row.state === "off" || row.state === "replaced") return tellOff(connector);
  const since =
    row.last_ok_at === null ? "brought nothing yet" : `brought something last at ${row.last_ok_at.toISOString()}`;
  if (row.state === "failing") return `${title} is failing, and ${since}.`;
  if (row.state === "stopped" || now - row.updated_at.getTime() > 2 * behindMs(connector)) {
    return `${title} is not running, and ${since}.`;
  }
  return `${title}: only ${holdsOnly}.`;
}
