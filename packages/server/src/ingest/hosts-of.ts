import type { Connector, Host } from "../definition/connector.ts";

/** Every host that a stream calls. */
export function hostsOf(connector: Connector): readonly Host[] {
  const others = connector.kind === "pull" ? connector.also : connector.resyncHost && [connector.resyncHost];
  return [connector.host, ...(others ?? [])];
}
