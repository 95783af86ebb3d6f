import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createTermFinder, type Entry } from "../../packages/server/src/derivations/social/find-terms.ts";
import { createMatcher } from "../../packages/server/src/derivations/social/create-matcher.ts";
import { foldText } from "../../packages/server/src/derivations/social/fold-text.ts";
import type { MatchMarket } from "../../packages/server/src/derivations/social/match-market.ts";

const POSTS = fileURLToPath(
  new URL("../../../shared/recorded/social/truth_social/trump_truths_full.csv.gz", import.meta.url),
);
/** A loop of regular expressions is so slow that it is timed on so many posts. */
const LOOP_POSTS = 20;

export type MatchBench = { readonly keywords: number; readonly posts: number };

/** Posts a second through matching on one core: terms of made-up markets over real posts, beside a loop of regular expressions. */
export function benchMatch({ keywords, posts }: MatchBench): void {
  if (!existsSync(POSTS)) throw new Error(`no recorded posts at ${POSTS}`);
  const real = textsOf(gunzipSync(readFileSync(POSTS)).toString("utf8"));
  const texts = Array.from({ length: posts }, (_, index) => real[index % real.length] ?? "");
  const markets = marketsOf(real, keywords);
  const before = heap();
  const [matcher, buildMs] = timed(() => createMatcher(markets));
  const built = heap() - before;
  for (const text of texts.slice(0, 500)) matcher.match(text);
  let mentions = 0;
  const [, ms] = timed(() => {
    for (const text of texts) mentions += matcher.match(text).length;
  });
  say("keywords", matcher.size);
  say("markets", markets.length);
  say("build ms (CPU)", Math.round(buildMs));
  say("memory MB", Math.round(built / 1e6));
  say("posts/s (CPU, one core)", Math.round((posts / ms) * 1000));
  say("µs a post", Math.round((ms / posts) * 1000));
  say("mentions", mentions);
  benchLoop(markets, texts.slice(0, LOOP_POSTS), keywords);
}

/** The same terms (letters and blanks) as whole words, one expression each, and no rules after them. */
function benchLoop(markets: readonly MatchMarket[], texts: readonly string[], keywords: number): void {
  const words = [...new Set(markets.flatMap(({ question }) => question.slice(0, -1).split(" ")))].slice(0, keywords);
  const phrases = markets.map(({ question }) => question.slice(5, -1)).slice(0, Math.max(0, keywords - words.length));
  const expressions = [...words, ...phrases].map((term) => new RegExp(`\\b${term}\\b`, "iu"));
  let hits = 0;
  const [, ms] = timed(() => {
    for (const text of texts) for (const expression of expressions) if (expression.test(text)) hits += 1;
  });
  say(`loop of ${expressions.length} expressions, posts/s`, ((texts.length / ms) * 1000).toFixed(1));
  const entries: Entry[] = [...words, ...phrases].map((term, concept) => {
    const { plain, folded: text } = foldText(term);
    return { term: { text, plain, case: "any" }, concept, isName: false };
  });
  const finder = createTermFinder(entries);
  let found = 0;
  const [, own] = timed(() => {
    for (const text of texts) found += new Set(finder.find(foldText(text)).map(({ concept }) => concept)).size;
  });
  say("the same terms by the automaton, posts/s", Math.round((texts.length / own) * 1000));
  say("terms found, loop and automaton", `${hits} and ${found}`);
}

const textsOf = (csv: string): string[] =>
  csv
    .split(/\n(?=\d{4}-\d\d-\d\d )/u)
    .slice(1)
    .map((line) => line.slice(20).replace(/^"|"\s*$/gu, ""));

/** Markets that speak of names made of real words of the posts, two at a time, until so many terms are there. */
function marketsOf(texts: readonly string[], keywords: number): MatchMarket[] {
  const words = [...new Set(texts.join(" ").match(/\b[A-Z][a-z]{3,12}\b/gu) ?? [])];
  const topics = [...new Set(texts.join(" ").match(/\b[a-z]{5,12}\b/gu) ?? [])];
  let state = 1;
  const pick = (from: readonly string[]): string => {
    state = (state * 48_271) % 2_147_483_647;
    return from[state % from.length] ?? "";
  };
  // A name brings two to three terms: itself, as one word, its last word.
  const count = Math.ceil(keywords / 2);
  return Array.from({ length: count }, (_, index) => {
    const question = `Will ${pick(words)} ${pick(words)} ${pick(topics)} ${pick(words)}?`;
    const condition_id = `0x${index.toString(16).padStart(64, "0")}`;
    const event = { event_slug: `event-${index}`, event_title: question, question, tags: [] };
    return { condition_id, ...event, opened_ms: 0, closed_ms: Number.MAX_SAFE_INTEGER };
  });
}

function timed<T>(work: () => T): [T, number] {
  const from = process.cpuUsage();
  const made = work();
  const { user, system } = process.cpuUsage(from);
  return [made, (user + system) / 1000];
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const say = (name: string, value: number | string): void => {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`);
};
