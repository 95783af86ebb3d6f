/** A JSON container too long to be parsed at once, split at its commas; offsets in bytes, `to` exclusive. */
export type LongSpan = {
  readonly from: number;
  readonly to: number;
  readonly isList: boolean;
  readonly pieces: readonly Piece[];
};

/** Items of a container parsed together; `long` is the long container inside the only item of the piece. */
export type Piece = { readonly from: number; readonly to: number; readonly long?: LongSpan };

export type JsonBounds = { readonly maxDepth: number; readonly maxValues: number };

/** Names in one object: venues have some hundred; an object of very many costs more than all else of a response. */
const MAX_NAMES = 10_000;

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

type Open = {
  isList: boolean;
  commas: number;
  from: number;
  itemFrom: number;
  pieceFrom: number;
  pieces: Piece[];
  long?: LongSpan;
};

/**
 * Scans JSON as its bytes arrive, before anything is parsed: its depth and its maximum number of values (`over` says
 * which bound is exceeded), and where it can be split into pieces of `pieceBytes`.
 */
export class JsonScan {
  over: string | undefined;
  /** Brackets do not match: this is not JSON. */
  isBroken = false;
  /** The outermost container, where it is long. */
  long: LongSpan | undefined;
  readonly #bounds: JsonBounds;
  readonly #pieceBytes: number;
  readonly #open: Open[] = [];
  #read = 0;
  #values = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(bounds: JsonBounds, pieceBytes: number) {
    this.#bounds = bounds;
    this.#pieceBytes = pieceBytes;
  }

  /** Returns false once a bound is exceeded: the rest need not be read. */
  add(bytes: Uint8Array): boolean {
    const base = this.#read;
    for (let index = 0; index < bytes.length && this.over === undefined && !this.isBroken; index += 1) {
      if (this.#isInString) {
        index = this.#leaveString(bytes, index);
        continue;
      }
      const byte = bytes[index] as number;
      if (byte === QUOTE) this.#isInString = true;
      else if (byte === COMMA) this.#comma(base + index);
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#enter(byte === OPEN_LIST, base + index);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#leave(byte === CLOSE_LIST, base + index);
    }
    this.#read += bytes.length;
    return this.over === undefined;
  }

  /** Index of the string's closing quote in these bytes, else the last index. */
  #leaveString(bytes: Uint8Array, from: number): number {
    for (let index = from; index < bytes.length; index += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (bytes[index] === BACKSLASH) this.#isEscaped = true;
      else if (bytes[index] === QUOTE) {
        this.#isInString = false;
        return index;
      }
    }
    return bytes.length - 1;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.maxValues) this.over = `more than ${this.#bounds.maxValues} values`;
  }

  #enter(isList: boolean, at: number): void {
    this.#count();
    if (this.#open.length >= this.#bounds.maxDepth) this.over = `deeper than ${this.#bounds.maxDepth} levels`;
    this.#open.push({ isList, commas: 0, from: at, itemFrom: at + 1, pieceFrom: at + 1, pieces: [] });
  }

  #comma(at: number): void {
    this.#count();
    const container = this.#open.at(-1);
    if (container === undefined) return;
    container.commas += 1;
    if (!container.isList && container.commas >= MAX_NAMES) this.over = `an object of more than ${MAX_NAMES} names`;
    if (container.long !== undefined || at - container.pieceFrom >= this.#pieceBytes) cut(container, at);
    container.itemFrom = at + 1;
  }

  #leave(isList: boolean, at: number): void {
    const container = this.#open.pop();
    this.isBroken = container?.isList !== isList;
    if (container === undefined || this.isBroken) return;
    if (at - container.from < this.#pieceBytes) return;
    cut(container, at);
    const long = { from: container.from, to: at + 1, isList, pieces: container.pieces };
    const owner = this.#open.at(-1);
    if (owner !== undefined) owner.long = long;
    else this.long = long;
  }
}

/** Ends a piece before `at`; a long item is a piece of its own. */
function cut(container: Open, at: number): void {
  const { long, itemFrom, pieceFrom, pieces } = container;
  if (long !== undefined && itemFrom > pieceFrom) pieces.push({ from: pieceFrom, to: itemFrom - 1 });
  pieces.push(long === undefined ? { from: pieceFrom, to: at } : { from: itemFrom, to: at, long });
  delete container.long;
  container.pieceFrom = at + 1;
}
