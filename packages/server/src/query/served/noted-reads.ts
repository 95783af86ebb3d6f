import type { KeyedReader, KeyedRow, KeyedSpan, TokenFacts } from "../../definition/served-keyed.ts";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import type { KeyedQuestion } from "./select-keyed.ts";
import type { StoredBlock } from "./stored-cells.ts";
import { StoredRow } from "./stored-row.ts";

/** Consecutive rows of one value in a block. */
type Run = { readonly block: StoredBlock; readonly from: number; readonly to: number };

/** Reads of one kind from a table: rows already read, by value, and values still to be read. */
export type NotedQuestion = KeyedQuestion & {
  readonly known: Map<string, readonly Run[]>;
  readonly missing: Set<string>;
};

/** Reads known rows by key; unknown keys are recorded and return nothing. */
export class NotedReads implements KeyedReader {
  readonly #questions = new Map<string, NotedQuestion>();
  readonly #tokens = new Map<string, TokenFacts>();
  readonly missingTokens = new Set<string>();

  readonly rows: KeyedReader["rows"] = (table, column, value, span = { from: 0, to: LAST_SECOND }) =>
    this.#read(table, column, value, span, false);

  readonly latest: KeyedReader["latest"] = (table, column, value, span) => this.#read(table, column, value, span, true);

  /** Not supported: how far back a walk reads cannot be known beforehand. */
  readonly back: KeyedReader["back"] = ({ name }) => {
    throw new TypeError(`rows of ${name} are walked back in an index alone`);
  };

  readonly tokens: KeyedReader["tokens"] = (ids) => {
    for (const id of ids) if (!this.#tokens.has(id)) this.missingTokens.add(id);
    return new Map(
      ids.flatMap((id) => {
        const facts = this.#tokens.get(id);
        return facts === undefined ? [] : [[id, facts] as const];
      }),
    );
  };

  readonly isWhole = (): boolean => this.missingTokens.size === 0 && this.missing().length === 0;

  /** Reads with values still missing. */
  missing(): NotedQuestion[] {
    return [...this.#questions.values()].filter(({ missing }) => missing.size > 0);
  }

  learnTokens(facts: ReadonlyMap<string, TokenFacts>): void {
    for (const [token, reported] of facts) this.#tokens.set(token, reported);
    this.missingTokens.clear();
  }

  /**
   * Adds all rows of some missing values, those of a value together. Their tokens are recorded as missing too, since
   * callers look them up next.
   */
  learnRows(
    { table, column, known, missing }: NotedQuestion,
    values: readonly string[],
    blocks: readonly StoredBlock[],
  ): void {
    for (const value of values) {
      known.set(value, []);
      missing.delete(value);
    }
    const row = new StoredRow(table);
    const valueAt = (block: StoredBlock, at: number): string => String(row.move(block, at).value(column));
    const tokens = tokenColumns(table);
    for (const block of blocks)
      for (let from = 0, to = 0; from < block.count; from = to) {
        const value = valueAt(block, from);
        for (to = from + 1; to < block.count && valueAt(block, to) === value;) to += 1;
        known.set(value, [...(known.get(value) ?? []), { block, from, to }]);
        for (let at = from; at < to; at += 1) for (const name of tokens) this.#noteTokens(row.move(block, at), name);
      }
  }

  #noteTokens(row: StoredRow, column: string): void {
    for (const token of String(row.value(column)).split(","))
      if (token !== "" && !this.#tokens.has(token)) this.missingTokens.add(token);
  }

  *#read(
    table: ServedTable,
    column: string,
    value: string,
    { from, to }: KeyedSpan,
    isLatest: boolean,
  ): Generator<KeyedRow, void, void> {
    const span = { from: Math.max(0, from), to: Math.min(to, LAST_SECOND) };
    if (span.to < (isLatest ? 0 : span.from)) return;
    const { known, missing } = this.#questionOf({ table, column, span, isLatest });
    const runs = known.get(value);
    if (runs === undefined) {
      missing.add(value);
      return;
    }
    const row = new StoredRow(table);
    for (const { block, from: first, to: end } of runs)
      for (let at = first; at < end; at += 1) yield row.move(block, at);
  }

  #questionOf(question: KeyedQuestion): NotedQuestion {
    const { table, column, span, isLatest } = question;
    const id = `${table.name} ${column} ${span.from} ${span.to} ${isLatest}`;
    const found = this.#questions.get(id) ?? { ...question, known: new Map(), missing: new Set() };
    this.#questions.set(id, found);
    return found;
  }
}

const tokenColumns = ({ columns }: ServedTable): string[] =>
  Object.entries(columns).flatMap(([name, kept]) =>
    kept.kind === "token" || (kept.kind === "list" && kept.of === "tokens") ? [name] : [],
  );
