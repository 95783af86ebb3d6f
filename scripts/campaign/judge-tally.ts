import type { Tally } from "../verify/tally.ts";
import type { StreamResult } from "./run-result.ts";

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
