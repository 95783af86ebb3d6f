import type { Host } from "../definition/connector.ts";

/** The host with the limit granted to this installation, if a setting states one. */
export function grantedHost(host: Host, settings: Readonly<Record<string, string | undefined>>): Host {
  const tokens = Number((host.granted && settings[host.granted]) || Number.NaN);
  if (Number.isNaN(tokens)) return host;
  return { ...host, limits: { ...host.limits, all: { tokens, perSeconds: 1, burst: tokens } } };
}
