import type { Kysely } from "kysely";
import type { Connector, SocketConnector } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { findFollowed, type FollowedSpan } from "../control/followed-record.ts";
import { hasLastStates } from "../has-last-states.ts";
import type { Span } from "../../definition/spans.ts";

/** From when to when a stream follows an instrument. */
export type Followed = ReadonlyMap<string, ReadonlyMap<string, FollowedSpan>>;

/** Since when something is followed is kept where it was written down for good, up to so many instruments a stream. */
const MOST_KEPT = 100_000;

/** Socket streams hold an instrument only from their first state of it on; others hold all of their venue. */
const isFollowing = (connector: Connector): connector is SocketConnector =>
  connector.kind === "socket" && connector.isEarly !== true;

/** Looks up from when to when instruments are followed by those of the streams that follow instruments. */
export function createFollowedLookup(
  db: Kysely<RecordsSchema>,
): (connectors: readonly Connector[], instruments: readonly string[]) => Promise<Followed> {
  const kept = new Map<string, Map<string, FollowedSpan>>();
  return async (connectors, instruments) => {
    const found = new Map<string, ReadonlyMap<string, FollowedSpan>>();
    for (const connector of connectors.filter(isFollowing)) {
      const { name } = connector;
      const known = (hasLastStates(connector) && kept.get(name)) || new Map<string, FollowedSpan>();
      found.set(name, known);
      kept.set(name, known);
      const unknown = instruments.filter((instrument) => !known.has(instrument));
      if (unknown.length === 0) continue;
      if (known.size > MOST_KEPT) known.clear();
      for (const [instrument, span] of await findFollowed(db, name, instruments)) known.set(instrument, span);
    }
    return found;
  };
}

/** A sentence for each asked instrument that a stream does not hold over all of what is asked. */
export function unfollowed(
  connectors: readonly Connector[],
  instruments: readonly string[],
  followed: Followed,
  asked: Span,
): string[] {
  return connectors.filter(isFollowing).flatMap((connector) =>
    instruments.flatMap((instrument) => {
      const of = `${connector.title}: ${instrument}`;
      const span = followed.get(connector.name)?.get(instrument);
      if (span === undefined) return [`${of} is not followed.`];
      const { since, leftAt = Infinity } = span;
      const isLeft = !hasLastStates(connector) && leftAt < asked.to;
      return [
        ...(since > asked.from ? [`${of} is held from ${new Date(since).toISOString()} on.`] : []),
        ...(isLeft ? [`${of} is held until ${new Date(leftAt).toISOString()}.`] : []),
      ];
    }),
  );
}
