import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { META } from "./meta.ts";
import type { OrderedStore } from "./port.ts";
import { MARK } from "./reader.ts";
import { openSqlite } from "./sqlite.ts";
import { bytesOfToken, tokenOfBytes } from "./token-bytes.ts";

/** What is known of a token; it and its condition are 32 bytes. */
export type TokenRow = {
  readonly token: Buffer;
  readonly condition: Buffer;
  readonly outcomeIndex: number;
  readonly outcome: string;
  readonly slug: string;
};

/** As the dictionary of tokens tells it. */
export type ToldOfToken = Readonly<Record<"condition_id" | "outcome" | "slug", string>> & {
  readonly outcome_index: number;
};

/** Names the folder: another one where the same is kept in other bytes. */
const SCHEMA = "1";
const COUNT = Buffer.from("count");
const [TOKENS, CONDITIONS, SLUGS] = ["tokens", "conditions", "slugs"] as const;
const TREES = [TOKENS, CONDITIONS, SLUGS, META];
const ID_BYTES = 32;
const OUTCOME_AT = ID_BYTES + 1 + 4;
const LAST = Buffer.alloc(ID_BYTES, 0xff);
/** Longer lists are asked of the column engine. */
const MOST_LISTED = 5_000;
const NOTHING: ToldOfToken = { condition_id: "", outcome_index: 0, outcome: "", slug: "" };

/**
 * What is known of tokens: each by its id, and which belong to a condition and to a slug. It has a mark only while it
 * is whole, so that one of which the building was cut off is known for that.
 */
export class TokenIndex {
  readonly #folder: string;
  #store: OrderedStore;

  /** Opens the one in a folder, which is made where there is none that can be read. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    for (const other of readdirSync(folder)) if (other !== SCHEMA) rmSync(join(folder, other), { recursive: true });
    this.#folder = join(folder, SCHEMA);
    try {
      this.#store = this.#open();
    } catch {
      rmSync(this.#folder, { recursive: true });
      this.#store = this.#open();
    }
  }

  /** Up to which version it has everything; undefined where it is not whole. */
  mark(): number | undefined {
    const mark = this.#store.get(META, MARK);
    return mark && Number(mark.toString());
  }

  setMark(version: number): void {
    this.#store.put(META, MARK, Buffer.from(String(version)));
  }

  count(): number {
    return Number(this.#store.get(META, COUNT)?.toString() ?? 0);
  }

  /** Of a token of which nothing is known, too. */
  infoOf(token: string): ToldOfToken {
    const value = this.#store.get(TOKENS, bytesOfToken(token));
    return value === undefined ? NOTHING : read(value);
  }

  /** The tokens of which a column holds a value; undefined where this is not for here to say. */
  tokensOf(column: string, value: string): string[] | undefined {
    if (column !== "condition_id" && column !== "slug") return undefined;
    const [tree, prefix] = column === "slug" ? [SLUGS, slugPrefix(value)] : [CONDITIONS, conditionBytes(value)];
    const found = this.#store.down(tree, Buffer.concat([prefix, LAST]), prefix, MOST_LISTED + 1);
    return found.length > MOST_LISTED ? undefined : found.map(({ key }) => tokenOfBytes(key.subarray(prefix.length)));
  }

  /** Puts what is known of tokens in the place of what was. */
  put(rows: readonly TokenRow[]): void {
    this.#store.transaction(() => {
      let added = 0;
      for (const row of rows) if (this.#putOne(row)) added += 1;
      if (added > 0) this.#store.put(META, COUNT, Buffer.from(String(this.count() + added)));
    });
  }

  /** Begins anew, with nothing. */
  clear(): void {
    this.close();
    rmSync(this.#folder, { recursive: true });
    this.#store = this.#open();
  }

  close(): void {
    this.#store.close();
  }

  /** Whether the token is new. */
  #putOne({ token, condition, outcomeIndex, outcome, slug }: TokenRow): boolean {
    const head = Buffer.from([outcomeIndex, 0, 0, 0, 0]);
    head.writeUInt32BE(Buffer.byteLength(outcome), 1);
    const value = Buffer.concat([condition, head, Buffer.from(outcome + slug)]);
    const before = this.#store.get(TOKENS, token);
    if (before?.equals(value)) return false;
    if (before !== undefined) {
      this.#store.remove(CONDITIONS, Buffer.concat([before.subarray(0, ID_BYTES), token]));
      this.#store.remove(SLUGS, Buffer.concat([slugPrefix(read(before).slug), token]));
    }
    this.#store.put(TOKENS, token, value);
    this.#store.put(CONDITIONS, Buffer.concat([condition, token]), Buffer.alloc(0));
    this.#store.put(SLUGS, Buffer.concat([slugPrefix(slug), token]), Buffer.alloc(0));
    return before === undefined;
  }

  #open(): OrderedStore {
    mkdirSync(this.#folder, { recursive: true });
    return openSqlite(join(this.#folder, "index.db"), TREES);
  }
}

function read(value: Buffer): ToldOfToken {
  const slugAt = OUTCOME_AT + value.readUInt32BE(ID_BYTES + 1);
  return {
    condition_id: `0x${value.toString("hex", 0, ID_BYTES)}`,
    outcome_index: value.readUInt8(ID_BYTES),
    outcome: value.toString("utf8", OUTCOME_AT, slugAt),
    slug: value.toString("utf8", slugAt),
  };
}

/** With its length before it no slug is the beginning of another. */
function slugPrefix(slug: string): Buffer {
  const prefix = Buffer.from(`\0\0\0\0${slug}`);
  prefix.writeUInt32BE(prefix.length - 4, 0);
  return prefix;
}

function conditionBytes(condition: string): Buffer {
  const bytes = Buffer.from(condition.slice(2), "hex");
  if (bytes.length !== ID_BYTES) throw new TypeError(`${condition} is not a condition`);
  return bytes;
}
