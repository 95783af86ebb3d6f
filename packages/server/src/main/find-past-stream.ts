import { CommandError } from "../cli/command.ts";
import type { Connector, PullConnector } from "../definition/connector.ts";

/** Finds a stream that supports backfill by name. Throws CommandError 3 with the available names. */
export function findPastStream(connectors: readonly Connector[], name: string): PullConnector {
  const able = pastStreams(connectors);
  const found = able.find((one) => one.name === name);
  if (found) return found;
  const names = able.map((one) => one.name).join(", ");
  throw new CommandError(3, `no stream ${name} supports backfill; these do: ${names}`);
}

/** The streams that support backfill. */
export function pastStreams(connectors: readonly Connector[]): readonly PullConnector[] {
  return connectors.filter((one): one is PullConnector => one.kind === "pull" && one.canBackfill);
}
