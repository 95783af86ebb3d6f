import { CommandError } from "../cli/command.ts";
import type { Connector, PullConnector } from "../definition/connector.ts";

/** A stream that can gather its past, by its name. Throws CommandError 3 with the names there are. */
export function findPastStream(connectors: readonly Connector[], name: string): PullConnector {
  const able = pastStreams(connectors);
  const found = able.find((one) => one.name === name);
  if (found) return found;
  const names = able.map((one) => one.name).join(", ");
  throw new CommandError(3, `no stream ${name} can gather its past; there are ${names}`);
}

/** The streams that can gather their past. */
export function pastStreams(connectors: readonly Connector[]): readonly PullConnector[] {
  return connectors.filter((one): one is PullConnector => one.kind === "pull" && one.canBackfill);
}
