import type { Placer } from "../verify/compare-activity.ts";

type Place = {
  readonly seq: number;
  readonly block_number: number;
  readonly block_ms: number;
  readonly log_index?: number;
  readonly legs?: readonly { readonly log_index: number }[];
  readonly dropped: boolean;
  readonly pending: boolean;
};

/** Chain positions after reorganisations, as reported by the exchanges' control port. */
export type Places = {
  readonly placer: Placer;
  /** Position of a match by its sequence: block, and log index of its first leg; undefined if no longer on chain. */
  readonly ofMatch: (seq: number) => { block_number: number; block_ms: number; log_index: number } | undefined;
};

const LIMIT = 5000;
const LISTS = ["fills", "operations", "resolutions", "transfers"] as const;

export async function readPlaces(controlUrl: string): Promise<Places> {
  const places = new Map<number, Place>();
  for (const list of LISTS) {
    for (let since: number | null = 0; since !== null;) {
      const response = await fetch(`${controlUrl}/truth/${list}?since_sequence=${since}&limit=${LIMIT}`);
      if (!response.ok) throw new Error(`/truth/${list} answered ${response.status}: ${await response.text()}`);
      const page = (await response.json()) as { rows: Place[]; next_sequence: number | null };
      for (const row of page.rows) places.set(row.seq, row);
      since = page.next_sequence;
    }
  }
  const find = (seq: number): Place | undefined => {
    const place = places.get(seq);
    return place === undefined || place.dropped || place.pending ? undefined : place;
  };
  return {
    placer: (happening) => {
      const { seq } = happening as typeof happening & { seq: number };
      const place = find(seq);
      if (place === undefined) return undefined;
      const { block_number, block_ms, log_index = happening.log_index } = place;
      return { ...happening, block_number, block_ms, log_index };
    },
    ofMatch: (seq) => {
      const place = find(seq);
      if (place === undefined) return undefined;
      const { block_number, block_ms, legs = [] } = place;
      return { block_number, block_ms, log_index: legs[0]?.log_index ?? 0 };
    },
  };
}
