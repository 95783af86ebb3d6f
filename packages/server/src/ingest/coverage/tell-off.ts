import type { Connector } from "../../definition/connector.ts";

/** That a stream is off, and what would turn it on. */
export function tellOff({ title, needs }: Connector): string {
  const settings = needs ? `: it needs ${needs.settings.join(" and ")}` : "";
  return `${title} is off${settings}.`;
}
