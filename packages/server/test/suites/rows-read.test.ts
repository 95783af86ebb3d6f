import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fillTables } from "./rows-read/fill-tables.ts";
import { listenToStatements, type Listener } from "./rows-read/hear-statements.ts";
import { END } from "./rows-read/hot-rows.ts";
import { KNOWN_SCANS, type KnownScan } from "./rows-read/known-scans.ts";
import { QUESTIONS } from "./rows-read/questions.ts";
import { maxRows, tablesIn } from "./rows-read/rows-bound.ts";

/** Keyed by question, with the statements of its first page and the next. */
const requested = new Map<string, Listener[]>();
const rowsOf = new Map<string, number>();
let store: OpenStore;
const now = (): number => Date.parse(`${END.replace(" ", "T")}Z`);

beforeAll(async () => {
  store = await openTestStore();
  await fillTables(store);
  const sizes = fromDefinition("SELECT name, total_rows FROM system.tables WHERE database = currentDatabase()");
  for (const { name, total_rows: rows } of await store.rows(sizes)) rowsOf.set(String(name), Number(rows));
  // A store used alone computes boards once, so a page's reads after that are its own.
  const query = openTestQuery(store, now, undefined, false, undefined, { isAlone: true });
  const received = listenToStatements(store.address.database);
  for (const { agentId, label, ...question } of QUESTIONS) {
    const { nextCursor: cursor } = await query.answer(agentId, question);
    if (cursor !== null) await query.answer(agentId, { ...question, pagination: { cursor } });
    requested.set(`${agentId} ${label}`, received.take());
  }
  received.close();
});
afterAll(() => store.close());

const shareOf = ({ text, read }: Listener): number =>
  read / tablesIn(text).reduce((sum, name) => sum + (rowsOf.get(name) ?? 0), 0);

const knownOf = (question: string, { text }: Listener): KnownScan | undefined =>
  KNOWN_SCANS.find(({ questions, says }) => questions.includes(question) && text.includes(says));

test("every dataset is queried, and every statement reads known tables", () => {
  expect(new Set(QUESTIONS.map(({ agentId }) => agentId))).toEqual(new Set(datasets.map(({ agentId }) => agentId)));
  const strange = [...requested.values()].flat().filter(({ text, read }) => read > 1 && tablesIn(text).length === 0);
  expect(strange).toEqual([]);
});

test("no statement reads more rows than a constant times those it returns, except known scans", () => {
  const seen = new Map(KNOWN_SCANS.map((known) => [known, new Set<string>()]));
  const unknown: unknown[] = [];
  for (const [question, statements] of requested) {
    for (const one of statements.filter((each) => each.read > maxRows(each))) {
      const known = knownOf(question, one);
      if (known === undefined) unknown.push({ question, ...one, most: maxRows(one) });
      else {
        seen.get(known)?.add(question);
        expect(shareOf(one), `${question}: ${one.text}`).toBeLessThanOrEqual(known.share);
      }
    }
  }
  expect(unknown).toEqual([]);
  for (const [{ questions, says }, found] of seen) expect([...found], says).toEqual(questions);
});
