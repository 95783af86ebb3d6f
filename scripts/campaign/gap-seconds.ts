import type { Admission } from "./admission.ts";

type Stretch = { readonly from: number; readonly to: number };

/**
 * Seconds of a range that coverage admits although nothing is missing in them: a gap that contains any of `missingMs`
 * counts as entirely justified.
 */
export async function overAdmittedSeconds(
  admission: Admission,
  agentId: number,
  params: Readonly<Record<string, string>>,
  range: Stretch,
  missingMs: readonly number[],
): Promise<number> {
  const requested = { ...params, start_time: String(range.from), end_time: String(range.to) };
  const { gaps } = await admission.whole(agentId, requested);
  const stretches = gaps
    .map(({ from, to }) => ({
      from: Math.max(range.from, Date.parse(from)),
      to: Math.min(range.to, to === null ? range.to : Date.parse(to)),
    }))
    .filter((gap) => !missingMs.some((ms) => ms >= gap.from - 1000 && ms <= gap.to + 1000));
  return Math.round(joined(stretches).reduce((sum, { from, to }) => sum + to - from, 0) / 1000);
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const whole: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) whole.push({ from, to });
  }
  return whole;
}
