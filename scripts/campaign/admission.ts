import type { Ask } from "../verify/ask.ts";

type Gap = {
  readonly from: string;
  readonly to: string | null;
  readonly reason: string;
  readonly instrument?: string | null;
};
type Coverage = { readonly complete: boolean; readonly gaps: readonly Gap[]; readonly reasons: readonly string[] };
type Params = Readonly<Record<string, string>>;

const MAX_REQUESTED = 3000;
/** The sentence that only counts the gaps, which are judged individually. */
const COUNTS_GAPS = /^\d+ gaps? (is|are) in the requested range/;
const BEFORE = /history before (\S+) is not stored/;
const UP_TO = /it holds rows up to (\S+Z)\.$/;
/** A gap of one instrument starts with its name. */
const NAMED = /^(\d{20,80}|KX[A-Z0-9.-]+): /;

/** Coverage of a dataset by timestamp, requested once per timestamp. Beyond a bound of requests nothing is admitted. */
export class Admission {
  readonly #ask: Ask;
  readonly #answers = new Map<string, Promise<Coverage>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Whether coverage admits that a row at `ms` may be missing. `instrument`: gaps of others do not count. */
  async admits(agentId: number, params: Params, ms: number, instrument?: string): Promise<boolean> {
    const coverage = await this.#at(agentId, { ...params, start_time: String(ms), end_time: String(ms) });
    return coverage !== undefined && isAdmitted(coverage, instrument);
  }

  /** The same for any time in a range. */
  async admitsWithin(agentId: number, params: Params, from: number, to: number): Promise<boolean> {
    const coverage = await this.#at(agentId, { ...params, start_time: String(from), end_time: String(to) });
    return coverage !== undefined && isAdmitted(coverage, undefined, from);
  }

  /** The same for a dataset without a time range: whether any of the times at which a row changed is admitted. */
  async admitsOneOf(agentId: number, timestamps: readonly number[]): Promise<boolean> {
    const coverage = await this.#at(agentId, {});
    return coverage !== undefined && timestamps.some((ms) => isTimestampAdmitted(coverage, ms));
  }

  async whole(agentId: number, params: Params): Promise<Coverage> {
    return (await this.#ask(agentId, params, { limit: 1 })).coverage as unknown as Coverage;
  }

  #at(agentId: number, params: Params): Promise<Coverage | undefined> {
    const key = `${agentId} ${JSON.stringify(params)}`;
    const known = this.#answers.get(key);
    if (known) return known;
    if (this.#answers.size >= MAX_REQUESTED) return Promise.resolve(undefined);
    const answer = this.whole(agentId, params);
    this.#answers.set(key, answer);
    return answer;
  }
}

function isAdmitted({ complete, gaps, reasons }: Coverage, instrument: string | undefined, ms = 0): boolean {
  if (complete) return false;
  if (reasons.some((reason) => !COUNTS_GAPS.test(reason) && !isOfEarlier(reason, ms))) return true;
  return gaps.some((gap) => {
    const named = gap.instrument ?? NAMED.exec(gap.reason)?.[1];
    return named === undefined || named === null || instrument === undefined || named === instrument;
  });
}

function isTimestampAdmitted({ complete, gaps, reasons }: Coverage, ms: number): boolean {
  if (complete) return false;
  const isSaid = (reason: string): boolean =>
    !COUNTS_GAPS.test(reason) && !isOfEarlier(reason, ms) && !isOfLater(reason, ms);
  if (reasons.some(isSaid)) return true;
  return gaps.some(({ from, to }) => ms >= Date.parse(from) && (to === null || ms <= Date.parse(to)));
}

/** "It holds rows up to …" does not apply to an earlier row. */
function isOfLater(reason: string, ms: number): boolean {
  const upTo = UP_TO.exec(reason)?.[1];
  return upTo !== undefined && ms <= Date.parse(upTo);
}

/** "History before … is not stored" does not apply to a later row. */
function isOfEarlier(reason: string, ms: number): boolean {
  const before = BEFORE.exec(reason)?.[1];
  return before !== undefined && ms >= Date.parse(before);
}
