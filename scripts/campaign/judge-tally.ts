import type { Tally } from "../verify/tally.ts";
import type { StreamResult } from "./run-result.ts";
import type { Admission } from "./admission.ts";

export type Judging = {
  readonly stream: string;
  /** Whether coverage admits that this row may be missing. */
  readonly isAdmitted: (key: string) => Promise<boolean>;
  readonly overAdmittedSeconds: number;
};

const MAX_EXAMPLES = 6;

/** Splits a comparison's differences into those that coverage admits and those that it does not. */
export async function judgeTally(tally: Tally, judging: Judging): Promise<StreamResult> {
  const differing = [...new Set([...tally.lostKeys, ...tally.wrongKeys])];
  const silent: string[] = [];
  // One after another: a service limits concurrent queries.
  for (const key of differing) if (!(await judging.isAdmitted(key))) silent.push(key);
  const isShort = tally.stored < tally.truth - tally.lost;
  const undeclared = silent.length + tally.doubled + tally.extra + (isShort ? 1 : 0);
  return {
    stream: judging.stream,
    truth: tally.truth,
    stored: tally.stored,
    lost: tally.lost,
    doubled: tally.doubled,
    wrong: tally.wrongKeys.length + tally.extra,
    admitted: differing.length - silent.length,
    undeclared,
    overAdmittedSeconds: judging.overAdmittedSeconds,
    examples:
      undeclared === 0
        ? []
        : [
            ...silent.slice(0, MAX_EXAMPLES).map((key) => `undeclared: ${key}`),
            ...tally.examples.slice(0, MAX_EXAMPLES),
          ],
  };
}

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
