import type { Connector } from "../../definition/connector.ts";
import type { Span } from "../../definition/spans.ts";
import type { Feeding } from "./feeding.ts";
import type { Written } from "./read-records.ts";

const DERIVED_BEHIND_MS = 60_000;

/** A sentence for each of what works tables out that is behind with what was stored of the asked time. */
export function tellLate({ makers, connectors }: Feeding, written: Written, asked: Span, now: number): string[] {
  const each = new Map(makers.map((maker) => [maker.name, maker]));
  const stored = pastStoredAt(connectors, written, asked);
  return [...each.values()].flatMap(({ name, title, everySeconds }) => {
    const through = written.derived.get(name)?.getTime();
    if (through === undefined) return [`${title}: not worked out yet.`];
    const isLate = now - through > DERIVED_BEHIND_MS + 2000 * everySeconds && Math.max(asked.to, stored) > through;
    return isLate ? [`${title}: worked out up to what was stored at ${new Date(through).toISOString()}.`] : [];
  });
}

/** When a backfill stored rows of a time last: what was worked out before lacks them, however long ago that time is. */
function pastStoredAt(connectors: readonly Connector[], { backfills }: Written, asked: Span): number {
  const names = new Set(connectors.map(({ name }) => name));
  const stored = backfills
    .filter(({ stream, range_from: from, range_to: to }) => {
      return names.has(stream) && from.getTime() <= asked.to && to.getTime() >= asked.from;
    })
    .map(({ updated_at: at }) => at.getTime());
  return stored.reduce((last, one) => Math.max(last, one), Number.NEGATIVE_INFINITY);
}
