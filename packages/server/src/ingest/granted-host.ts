import type { Host } from "../definition/connector.ts";

/** A host with what it grants whoever runs this, where a setting says so. */
export function grantedHost(host: Host, settings: Readonly<Record<string, string | undefined>>): Host {
  const tokens = Number((host.granted && settings[host.granted]) || Number.NaN);
  if (Number.isNaN(tokens)) return host;
  return { ...host, limits: { ...host.limits, all: { tokens, perSeconds: 1, burst: tokens } } };
}
