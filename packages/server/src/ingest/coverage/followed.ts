import type { SocketConnector, Connector } from "../../definition/connector.ts";
import type { Kysely } from "kysely";
import type { RecordsSchema } from "../../records/schema.ts";
import { findFollowed, type FollowedSpan } from "../control/followed-record.ts";
import type { Span } from "../../definition/spans.ts";
import type { Clock } from "../clock.ts";

/**
 * Whether an instrument no longer followed is requested until its last state is stored, which stays valid. In other
 * streams its coverage ends when it is left, and begins again when it is followed again.
 */
export const hasLastStates = ({ compareSeconds }: SocketConnector): boolean => compareSeconds !== undefined;

/** Stream → instrument → the span in which it is followed. */
export type Followed = ReadonlyMap<string, ReadonlyMap<string, FollowedSpan>>;

/** Start times that are permanent once recorded are cached, up to this many instruments per stream. */
const MAX_KEPT = 100_000;
/** A start time may be corrected for a day, if this machine's clock was slow; until then it is kept this long. */
const CORRECTED_MS = 2 * 86_400_000;
const LIFE_MS = 1000;

type KeptSpan = FollowedSpan & { readonly readAt: number };

/** Socket streams cover an instrument only from their first state of it on; others cover all of their venue. */
const isFollowing = (connector: Connector): connector is SocketConnector =>
  connector.kind === "socket" && connector.isEarly !== true;

/** Looks up the spans of instruments, for those streams that follow individual instruments. */
export function createFollowedLookup(
  db: Kysely<RecordsSchema>,
  clock: Pick<Clock, "now" | "monotonicMs">,
): (connectors: readonly Connector[], instruments: readonly string[]) => Promise<Followed> {
  const kept = new Map<string, Map<string, KeptSpan>>();
  const isCurrent = (span: KeptSpan | undefined): boolean =>
    span !== undefined && (span.since < clock.now() - CORRECTED_MS || clock.monotonicMs() - span.readAt < LIFE_MS);
  return async (connectors, instruments) => {
    const found = new Map<string, ReadonlyMap<string, FollowedSpan>>();
    for (const connector of connectors.filter(isFollowing)) {
      const { name } = connector;
      const known = (hasLastStates(connector) && kept.get(name)) || new Map<string, KeptSpan>();
      found.set(name, known);
      kept.set(name, known);
      const unknown = instruments.filter((instrument) => !isCurrent(known.get(instrument)));
      if (unknown.length === 0) continue;
      if (known.size > MAX_KEPT) known.clear();
      const readAt = clock.monotonicMs();
      for (const [instrument, span] of await findFollowed(db, name, instruments))
        known.set(instrument, { ...span, readAt });
    }
    return found;
  };
}

/** A sentence for each requested instrument that a stream does not cover for the entire range. */
export function unfollowed(
  connectors: readonly Connector[],
  instruments: readonly string[],
  followed: Followed,
  requested: Span,
): string[] {
  return connectors.filter(isFollowing).flatMap((connector) =>
    instruments.flatMap((instrument) => {
      const of = `${connector.title}: ${instrument}`;
      const span = followed.get(connector.name)?.get(instrument);
      if (span === undefined) return [`${of} is not followed.`];
      const { since, leftAt = Infinity } = span;
      const isLeft = !hasLastStates(connector) && leftAt < requested.to;
      return [
        ...(since > requested.from ? [`${of} is stored from ${new Date(since).toISOString()} on.`] : []),
        ...(isLeft ? [`${of} is stored until ${new Date(leftAt).toISOString()}.`] : []),
      ];
    }),
  );
}
