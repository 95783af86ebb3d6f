const MINUTE_MS = 60_000;

/** Lengths of history that the slider can span. */
export const SPANS: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  "15m": { label: "15 min", ms: 15 * MINUTE_MS },
  "1h": { label: "1 h", ms: 60 * MINUTE_MS },
  "6h": { label: "6 h", ms: 360 * MINUTE_MS },
  "1d": { label: "1 day", ms: 1440 * MINUTE_MS },
  all: { label: "all", ms: Number.POSITIVE_INFINITY },
};

type Held = { readonly from: string | null; readonly to: string | null };

/**
 * The slider's range in Unix ms, on whole minutes: the end of the stored history, moved back if the shown time is
 * before it. Undefined if nothing is stored.
 */
export function spanOf(
  name: string,
  held: Held | undefined,
  at: number | undefined,
  now: string | undefined,
): { readonly from: number; readonly to: number } | undefined {
  const first = Date.parse(held?.from ?? "");
  const last = Math.ceil(Date.parse(now ?? held?.to ?? "") / MINUTE_MS) * MINUTE_MS;
  if (Number.isNaN(first) || Number.isNaN(last) || first >= last) return undefined;
  const length = Math.min(SPANS[name]?.ms ?? 60 * MINUTE_MS, last - first);
  const isOutside = at !== undefined && at < last - length;
  const to = isOutside ? Math.min(last, Math.max(first, at - length / 2) + length) : last;
  return { from: Math.max(first, to - length), to };
}
