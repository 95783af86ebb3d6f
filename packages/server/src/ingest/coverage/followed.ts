import type { Kysely } from "kysely";
import type { Connector } from "../../definition/connector.ts";
import type { RecordsSchema } from "../../records/schema.ts";
import { findFollowed } from "../control/followed-record.ts";
import type { Span } from "../../definition/spans.ts";

/** Since when (Unix ms) a stream follows an instrument. */
export type Followed = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What is followed once was written down for good: it is kept, up to so many instruments a stream. */
const MOST_KEPT = 100_000;

/** Socket streams hold an instrument only from their first state of it on; others hold all of their venue. */
const isFollowing = (connector: Connector): boolean => connector.kind === "socket" && connector.isEarly !== true;

/** Looks up since when instruments are followed by those of the streams that follow instruments. */
export function createFollowedLookup(
  db: Kysely<RecordsSchema>,
): (connectors: readonly Connector[], instruments: readonly string[]) => Promise<Followed> {
  const kept = new Map<string, Map<string, number>>();
  return async (connectors, instruments) => {
    for (const { name } of connectors.filter(isFollowing)) {
      const known = kept.get(name) ?? new Map<string, number>();
      kept.set(name, known);
      const unknown = instruments.filter((instrument) => !known.has(instrument));
      if (unknown.length === 0) continue;
      if (known.size > MOST_KEPT) known.clear();
      for (const [instrument, since] of await findFollowed(db, name, instruments)) known.set(instrument, since);
    }
    return kept;
  };
}

/** A sentence for each asked instrument that a stream does not hold over all of what is asked. */
export function unfollowed(
  connectors: readonly Connector[],
  instruments: readonly string[],
  followed: Followed,
  asked: Span,
): string[] {
  return connectors.filter(isFollowing).flatMap(({ name, title }) =>
    instruments.flatMap((instrument) => {
      const since = followed.get(name)?.get(instrument);
      if (since === undefined) return [`${title}: ${instrument} is not followed.`];
      return since > asked.from ? [`${title}: ${instrument} is held from ${new Date(since).toISOString()} on.`] : [];
    }),
  );
}
