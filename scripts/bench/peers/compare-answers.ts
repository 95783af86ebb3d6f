import { isDeepStrictEqual } from "node:util";
import type { Requested, Mix } from "./mixes.ts";
import type { Side } from "./sides.ts";

type Answer = {
  readonly data: { readonly results: readonly unknown[] };
  readonly pagination: { readonly limit: number; readonly offset: number; readonly has_more: boolean };
};

/** Sends both sides the first `questions` queries of a mix. Throws at the first whose responses differ. */
export async function compareAnswers(mix: Mix, ours: Side, theirs: Side, questions: number): Promise<number> {
  let rows = 0;
  for (let turn = 0; turn < questions; turn += 1) {
    const question = mix.questionAt(turn);
    const [a, b] = [await answerOf(ours, question), await answerOf(theirs, question)];
    const different = differenceOf(a, b);
    if (different !== undefined) {
      throw new Error(`${mix.name}: ${JSON.stringify(question)} is answered differently: ${different}`);
    }
    rows += a.data.results.length;
  }
  if (rows === 0) throw new Error(`${mix.name}: no question has a row for its answer`);
  return rows;
}

async function answerOf(side: Side, question: Requested): Promise<Answer> {
  const { isGood, bytes } = await side.ask(question);
  const text = Buffer.from(bytes).toString("utf8");
  if (!isGood) throw new Error(`${side.name} refuses ${JSON.stringify(question)}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Answer;
}

/** First difference between two responses, ignoring field order, cursors and request ids. */
export function differenceOf(ours: Answer, theirs: Answer): string | undefined {
  const pageOf = ({ pagination: { limit, offset, has_more } }: Answer) => ({ limit, offset, has_more });
  if (!isDeepStrictEqual(pageOf(ours), pageOf(theirs))) {
    return `${JSON.stringify(pageOf(ours))} and ${JSON.stringify(pageOf(theirs))}`;
  }
  const [a, b] = [ours.data.results, theirs.data.results];
  if (a.length !== b.length) return `${a.length} and ${b.length} rows`;
  const at = a.findIndex((row, index) => !isDeepStrictEqual(row, b[index]));
  return at === -1 ? undefined : `row ${at}: ${JSON.stringify(a[at])} and ${JSON.stringify(b[at])}`;
}
