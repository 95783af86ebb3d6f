import type { PullConnector } from "../../definition/connector.ts";
import type { Planned } from "../plan-streams.ts";

/**
 * The streams by which what a stream missed can be brought, cheapest first: the one that replaces it, itself, those it
 * names in `filledBy`, those it replaces. Only streams with all their settings that can walk a past range.
 */
export function findWays(stream: string, planned: readonly Planned[]): readonly PullConnector[] {
  const own = planned.find(({ connector }) => connector.name === stream)?.connector;
  if (own?.kind !== "pull") return [];
  const replaced = planned.filter(({ connector }) => connector.kind === "pull" && connector.replacedBy === stream);
  const names = [own.replacedBy, stream, ...(own.filledBy ?? []), ...replaced.map(({ connector }) => connector.name)];
  return [...new Set(names)].flatMap((name) => {
    const found = planned.find(({ connector }) => connector.name === name);
    return found?.connector.kind === "pull" && found.connector.canBackfill && found.state !== "off"
      ? [found.connector]
      : [];
  });
}
