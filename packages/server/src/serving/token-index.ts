import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { META } from "./meta.ts";
import type { OrderedStore } from "../ordered/port.ts";
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

/** What is known of a token; it and its condition are 32 bytes. */
export type TokenRow = {
  readonly token: Buffer;
  readonly condition: Buffer;
  readonly outcomeIndex: number;
  readonly outcome: string;
  readonly slug: string;
};

/**
 * The one that writes an index of tokens. It has a mark only while it is whole, so that one of which the building was
 * cut off is known for that.
 */
export class TokenIndex extends TokenReader {
  readonly #file: string;

  /** Opens the one in a folder, which is made where there is none. */
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

  /** Puts what is known of tokens in the place of what was. */
  put(rows: readonly TokenRow[]): void {
    this.store.transaction(() => {
      let added = 0;
      for (const row of rows) if (this.#putOne(row)) added += 1;
      if (added > 0) this.store.put(META, COUNT, Buffer.from(String(this.count() + added)));
    });
  }

  /** Begins anew, with nothing. */
  clear(): void {
    this.close();
    rmSync(dirname(this.#file), { recursive: true });
    this.store = open(this.#file);
  }

  /** Whether the token is new. */
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
