import type { Connector, Host } from "../definition/connector.ts";

export type Planned = {
  readonly connector: Connector;
  readonly state: "on" | "off" | "replaced";
  /** For operators: what is missing and what it would add, or what replaces it. */
  readonly why?: string;
};

/**
 * Decides which streams run with these settings: a missing or empty setting disables the streams that need it, and
 * `off` names further disabled ones.
 */
export function planStreams(
  connectors: readonly Connector[],
  settings: Readonly<Record<string, string | undefined>>,
  off: readonly string[] = [],
): readonly Planned[] {
  const missing = (connector: Connector): string[] => [
    ...new Set(settingsOf(connector).filter((setting) => !settings[setting])),
  ];
  const isReady = (name: string): boolean => {
    const found = connectors.find((connector) => connector.name === name);
    return found !== undefined && !off.includes(name) && missing(found).length === 0;
  };
  return connectors.map((connector): Planned => {
    if (off.includes(connector.name)) return { connector, state: "off", why: "listed in STREAMS_OFF" };
    const absent = missing(connector);
    if (absent.length > 0) {
      const adds = connector.needs ? `; it would add ${connector.needs.adds}` : "";
      return { connector, state: "off", why: `set ${absent.join(" and ")} to turn it on${adds}` };
    }
    const replacement = connector.kind === "pull" ? connector.replacedBy : undefined;
    if (replacement !== undefined && isReady(replacement)) {
      return { connector, state: "replaced", why: `${replacement} is on and delivers the same rows` };
    }
    return { connector, state: "on" };
  });
}

function settingsOf(connector: Connector): string[] {
  return [...(connector.needs?.settings ?? []), ...hostsOf(connector).map(({ setting }) => setting)];
}

/** Every host that a stream calls. */
function hostsOf(connector: Connector): readonly Host[] {
  const others = connector.kind === "pull" ? connector.also : connector.resyncHost && [connector.resyncHost];
  return [connector.host, ...(others ?? [])];
}
