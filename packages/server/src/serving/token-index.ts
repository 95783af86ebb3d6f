import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { META } from "./tree-key.ts";
import type { OrderedStore } from "../ordered/ordered-store.ts";
import { MARK } from "./reader.ts";
import { openSqlite } from "../ordered/sqlite.ts";
import {
  CONDITIONS,
  COUNT,
  ID_BYTES,
  readInfo,
  SLUGS,
  slugPrefix,
  TOKEN_SCHEMA,
  TOKEN_TREES,
  TokenReader,
  tokenFile,
  TOKENS,
} from "./token-reader.ts";

/** Data of a token; the token and its condition are 32 bytes each. */
export type TokenRow = {
  readonly token: Buffer;
  readonly condition: Buffer;
  readonly outcomeIndex: number;
  readonly outcome: string;
  readonly slug: string;
};

/**
 * Writes an index of tokens. It has a mark only while it is complete, so that an interrupted build can be recognised.
 */
export class TokenIndex extends TokenReader {
  readonly #file: string;

  /** Opens the index in a folder, creating it if absent. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    for (const other of readdirSync(folder))
      if (other !== TOKEN_SCHEMA) rmSync(join(folder, other), { recursive: true });
    const file = tokenFile(folder);
    super(folder, open(file));
    this.#file = file;
  }

  setMark(version: number): void {
    this.store.put(META, MARK, Buffer.from(String(version)));
  }

  /** Stores data of tokens, replacing earlier data. */
  put(rows: readonly TokenRow[]): void {
    this.store.transaction(() => {
      let added = 0;
      for (const row of rows) if (this.#putOne(row)) added += 1;
      if (added > 0) this.store.put(META, COUNT, Buffer.from(String(this.count() + added)));
    });
  }

  /** Starts again with an empty index. */
  clear(): void {
    this.close();
    rmSync(dirname(this.#file), { recursive: true });
    this.store = open(this.#file);
  }

  /** Stores one token and returns whether it is new. */
  #putOne({ token, condition, outcomeIndex, outcome, slug }: TokenRow): boolean {
    const head = Buffer.from([outcomeIndex, 0, 0, 0, 0]);
    head.writeUInt32BE(Buffer.byteLength(outcome), 1);
    const value = Buffer.concat([condition, head, Buffer.from(outcome + slug)]);
    const before = this.store.get(TOKENS, token);
    if (before?.equals(value)) return false;
    if (before !== undefined) {
      this.store.remove(CONDITIONS, Buffer.concat([before.subarray(0, ID_BYTES), token]));
      this.store.remove(SLUGS, Buffer.concat([slugPrefix(readInfo(before).slug), token]));
    }
    this.store.put(TOKENS, token, value);
    this.store.put(CONDITIONS, Buffer.concat([condition, token]), Buffer.alloc(0));
    this.store.put(SLUGS, Buffer.concat([slugPrefix(slug), token]), Buffer.alloc(0));
    return before === undefined;
  }
}

function open(file: string): OrderedStore {
  mkdirSync(dirname(file), { recursive: true });
  return openSqlite(file, TOKEN_TREES);
}
