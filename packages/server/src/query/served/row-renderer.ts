import { setImmediate as breathe } from "node:timers/promises";
import type { Format } from "../../definition/column.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { Served } from "../../definition/served-dataset.ts";
import type { ServingReader } from "../../serving/reader.ts";
import type { Picks, Rows } from "../../serving/rows.ts";
import { partsOf, type Part, type Variable } from "./field-parts.ts";
import { PageBuffer } from "./page-buffer.ts";
import { putFew } from "./put-value.ts";
import { jsonText } from "../../definition/value-text.ts";
import { oneTest } from "./row-tests.ts";
import type { TokenInfo, TokenLookups } from "./token-lookups.ts";

type Fixed = Extract<Part, { width: number }>;
/** Parts of the same length in every row of a token, and the variable part that follows them. */
type Piece = { readonly parts: readonly Exclude<Part, Variable>[]; readonly end: Variable | undefined };
/** A piece as bytes, with the offsets at which row values are written. */
type Template = { readonly bytes: Buffer; readonly places: readonly number[] };
type OfToken = { readonly templates: readonly Template[]; readonly bytes: number; readonly until: number };

type TokenOf = (rows: Rows, row: number) => number | undefined;

/** Text before, between and after the rows of a page, and for none. */
export type Frame = { readonly begin: string; readonly between: number; readonly end: string; readonly none: string };

/** With more templates than this, all are dropped and rebuilt. */
const TOKENS = 50_000;
const NOTHING: OfToken = { templates: [], bytes: 0, until: 0 };
/** Fewer bytes are written one by one. */
const FEW = 24;
const SLICE_ROWS = 500;

/**
 * Renders rows as the engine prints them. Text that is the same in every row of a token is prepared once and copied in
 * pieces; row values are written into and between them.
 */
export class RowRenderer {
  readonly #reader: ServingReader;
  /** Looks up the token of each row, if rows have one. */
  readonly #lookups: TokenLookups | undefined;
  readonly #pieces: readonly Piece[];
  readonly #puts: readonly (readonly Fixed["put"][])[];
  /** Returns the number of a row's token. */
  readonly #tokenOf: TokenOf;
  /** Extra size per row of each variable-length piece. */
  readonly #sizes: readonly NonNullable<Variable["sizeOf"]>[];
  readonly #most: number;
  /** Templates of pieces that do not depend on the token. */
  readonly #shared: readonly (Template | undefined)[];
  readonly #kept = new Map<number, OfToken>();
  /** For rows without a token. */
  readonly #alike: OfToken;
  #epoch: number;

  constructor(
    reader: ServingReader,
    { row }: DatasetDefinition,
    { served, form, lookups }: { served: Served; form: Format; lookups: TokenLookups | undefined },
  ) {
    this.#reader = reader;
    this.#lookups = lookups;
    this.#epoch = lookups?.epoch() ?? 0;
    const view = reader.view();
    const parts: Part[] = [];
    for (const [field, column] of Object.entries(row)) {
      const made = served.fields[field] ?? { column: field };
      if (column.json.raw !== column.json.typed && !("typed" in made))
        throw new TypeError(`${field} has two forms: give both`);
      parts.push({ same: `${parts.length === 0 ? "{" : ","}${JSON.stringify(field)}:` });
      parts.push(...partsOf(reader, view, made, form));
    }
    this.#pieces = piecesOf([...parts, { same: "}" }]);
    this.#puts = this.#pieces.map((piece) => piece.parts.filter((part) => "put" in part).map(({ put }) => put));
    this.#shared = this.#pieces.map((piece) =>
      piece.parts.some((part) => "ofToken" in part) ? undefined : templateOf(piece, "", {}),
    );
    this.#most = this.#pieces.reduce((sum, { end }) => sum + (end?.most ?? 0), 0);
    this.#sizes = this.#pieces.map(({ end }) => end?.sizeOf).filter((sizeOf) => sizeOf !== undefined);
    this.#tokenOf = lookups === undefined ? () => undefined : tokenOf(reader, served);
    this.#alike = this.#ofToken("", {}, Number.POSITIVE_INFINITY);
  }

  /** Token data of rows from…to; unknown tokens are looked up. */
  async tokensOf(picks: Picks, from: number, to: number): Promise<readonly OfToken[]> {
    const [lookups, alike] = [this.#lookups, this.#alike];
    if (lookups === undefined) return Array.from({ length: to - from }, () => alike);
    const epoch = lookups.epoch();
    if (epoch !== this.#epoch || this.#kept.size > TOKENS) {
      this.#kept.clear();
      this.#epoch = epoch;
    }
    const found: OfToken[] = [];
    const missing = new Map<number, number[]>();
    const now = performance.now();
    for (let index = from; index < to; index += 1) {
      const number = this.#tokenOf(picks.rowsAt(index), picks.atOf(index));
      if (number === undefined) {
        found.push(alike);
        continue;
      }
      const kept = this.#kept.get(number);
      found.push(kept ?? NOTHING);
      if (kept !== undefined && kept.until > now) continue;
      const places = missing.get(number);
      if (places === undefined) missing.set(number, [index - from]);
      else places.push(index - from);
    }
    if (missing.size > 0)
      for (const [number, ofToken] of await this.#learn(lookups, [...missing.keys()], epoch))
        for (const place of missing.get(number) ?? []) found[place] = ofToken;
    return found;
  }

  /** Like `render`, but yields to other requests every few hundred rows: a page of 10,000 takes 20 ms. */
  async renderInSlices(
    picks: Picks,
    from: number,
    to: number,
    tokens: readonly OfToken[],
    frame: Frame,
    out: PageBuffer,
  ): Promise<Buffer> {
    if (to - from <= SLICE_ROWS) return this.render(picks, from, to, tokens, frame, out);
    // Other requests write pages into `out` meanwhile.
    const own = new PageBuffer();
    own.begin();
    own.text(frame.begin);
    for (let start = from; start < to; start += SLICE_ROWS) {
      if (start > from) await breathe();
      this.#rows(picks, { from: start, to: Math.min(to, start + SLICE_ROWS), first: from }, tokens, frame.between, own);
    }
    own.text(frame.end);
    return own.end();
  }

  /** `tokens` are those of rows from…to. */
  render(
    picks: Picks,
    from: number,
    to: number,
    tokens: readonly OfToken[],
    { begin, between, end, none }: Frame,
    out: PageBuffer,
  ): Buffer {
    out.begin();
    out.text(to > from ? begin : none);
    this.#rows(picks, { from, to, first: from }, tokens, between, out);
    if (to > from) out.text(end);
    return out.end();
  }

  /** `first` is the first row of the page, and of `tokens`. */
  #rows(
    picks: Picks,
    { from, to, first }: { readonly from: number; readonly to: number; readonly first: number },
    tokens: readonly OfToken[],
    between: number,
    out: PageBuffer,
  ): void {
    for (let index = from; index < to; index += 1) {
      const { templates, bytes } = tokens[index - first] as OfToken;
      const [rows, row] = [picks.rowsAt(index), picks.atOf(index)];
      let most = bytes + this.#most + 1;
      for (const sizeOf of this.#sizes) most += sizeOf(rows, row);
      out.reserve(most);
      if (index > first) out.bytes[out.at++] = between;
      this.#row(rows, row, templates, out);
    }
  }

  #row(rows: Rows, row: number, templates: readonly Template[], out: PageBuffer): void {
    const { bytes } = out;
    let { at } = out;
    for (let piece = 0; piece < templates.length; piece += 1) {
      const template = templates[piece] as Template;
      const puts = this.#puts[piece] as readonly Fixed["put"][];
      if (template.bytes.length < FEW) putFew(bytes, at, template.bytes);
      else bytes.set(template.bytes, at);
      for (let place = 0; place < puts.length; place += 1)
        (puts[place] as Fixed["put"])(bytes, at + (template.places[place] as number), rows, row);
      at += template.bytes.length;
      const { end } = this.#pieces[piece] as Piece;
      if (end !== undefined) at = end.put(bytes, at, rows, row);
    }
    out.at = at;
  }

  async #learn(
    lookups: TokenLookups,
    numbers: readonly number[],
    epoch: number,
  ): Promise<ReadonlyMap<number, OfToken>> {
    const tokens = this.#reader.dictionary.tokensOf(numbers);
    const infos = await lookups.infoOf(tokens);
    const learnt = new Map<number, OfToken>();
    for (const [index, number] of numbers.entries()) {
      const token = tokens[index] as string;
      const info = infos.get(token) ?? {};
      const isKnown = Object.values(info).every((value) => value !== "");
      const ofToken = this.#ofToken(token, info, performance.now() + lookups.lifeMs(isKnown));
      learnt.set(number, ofToken);
      // The tokens may have changed during the lookup.
      if (lookups.epoch() === epoch && this.#epoch === epoch) this.#kept.set(number, ofToken);
    }
    return learnt;
  }

  #ofToken(token: string, info: TokenInfo, until: number): OfToken {
    const templates = this.#pieces.map((piece, at) => this.#shared[at] ?? templateOf(piece, token, info));
    return { templates, bytes: templates.reduce((sum, template) => sum + template.bytes.length, 0), until };
  }
}

/** Returns the token of a row; the first one if it has several. */
function tokenOf(reader: ServingReader, { table, withoutToken }: Served): TokenOf {
  const column = reader.layout.columns.find(({ kind, list }) => kind === "token" || list === "tokens");
  if (column === undefined) throw new TypeError(`${table.name}: tokens are of rows with a column of them`);
  const { at, kind } = column;
  const [view, without] = [reader.view(), withoutToken && oneTest(reader, withoutToken)];
  return (rows, row) => {
    if (without?.(view.move(rows, row)) === true) return undefined;
    if (kind === "token") return rows.number(at, row);
    const first = rows.textsOf(at)[row] as string;
    return first === "" ? undefined : Number.parseInt(first, 10);
  };
}

/** Splits after every part whose length differs from row to row. */
function piecesOf(parts: readonly Part[]): Piece[] {
  const pieces: Piece[] = [];
  let open: Exclude<Part, Variable>[] = [];
  for (const part of parts) {
    if (!("most" in part)) open.push(part);
    else {
      pieces.push({ parts: open, end: part });
      open = [];
    }
  }
  return [...pieces, { parts: open, end: undefined }];
}

function templateOf({ parts }: Piece, token: string, info: TokenInfo): Template {
  const places: number[] = [];
  let text = "";
  for (const part of parts) {
    if ("put" in part) places.push(Buffer.byteLength(text));
    text += "put" in part ? " ".repeat(part.width) : "same" in part ? part.same : reported(part.ofToken);
  }
  return { bytes: Buffer.from(text), places };

  function reported(attribute: string | undefined): string {
    if (attribute === undefined) return token;
    const value = info[attribute] ?? "";
    if (value === "") return "null";
    return typeof value === "string" ? jsonText(value) : String(value);
  }
}
