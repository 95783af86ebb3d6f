import type { Connector, PullConnector } from "../definition/connector.ts";

/** The streams that can gather their past. */
export function pastStreams(connectors: readonly Connector[]): readonly PullConnector[] {
  return connectors.filter((one): one is PullConnector => one.kind === "pull" && one.canBackfill);
}
