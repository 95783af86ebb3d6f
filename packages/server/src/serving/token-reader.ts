import { join } from "node:path";
import { META } from "./tree-key.ts";
import type { OrderedStore } from "../ordered/ordered-store.ts";
import { MARK } from "./reader.ts";
import { readSqlite } from "../ordered/sqlite.ts";
import { bytesOfToken, tokenOfBytes } from "../definition/bytes.ts";

/** Data of a token, as the dictionary of tokens gives it. */
export type ReportedOfToken = Readonly<Record<"condition_id" | "outcome" | "slug", string>> & {
  readonly outcome_index: number;
};

/** Names the folder; changed when the encoding changes. */
export const TOKEN_SCHEMA = "1";
export const COUNT = Buffer.from("count");
export const [TOKENS, CONDITIONS, SLUGS] = ["tokens", "conditions", "slugs"] as const;
export const TOKEN_TREES = [TOKENS, CONDITIONS, SLUGS, META];
export const ID_BYTES = 32;
const OUTCOME_AT = ID_BYTES + 1 + 4;
const LAST = Buffer.alloc(ID_BYTES, 0xff);
/** Longer lists are left to the column engine. */
const MAX_LISTED = 5_000;
const NOTHING: ReportedOfToken = { condition_id: "", outcome_index: 0, outcome: "", slug: "" };

export const tokenFile = (folder: string): string => join(folder, TOKEN_SCHEMA, "index.db");

/** Reads data of tokens: by id, and the tokens of a condition or a slug. */
export class TokenReader {
  protected store: OrderedStore;

  /** Opens the index in a folder that another process or thread writes. */
  constructor(folder: string, store = readSqlite(tokenFile(folder), TOKEN_TREES)) {
    if (store === undefined) throw new Error(`there is no token index in ${folder}`);
    this.store = store;
  }

  /** Version up to which it has everything; undefined if it is incomplete. */
  mark(): number | undefined {
    const mark = this.store.get(META, MARK);
    return mark && Number(mark.toString());
  }

  count(): number {
    return Number(this.store.get(META, COUNT)?.toString() ?? 0);
  }

  /** Returns data for every token, empty for unknown ones. */
  infosOf(tokens: readonly string[]): Map<string, ReportedOfToken> {
    const keys = tokens.map(bytesOfToken);
    const found = this.store.getAll(TOKENS, keys);
    return new Map(
      tokens.map((token, index) => {
        const value = found.get((keys[index] as Buffer).toString("latin1"));
        return [token, value === undefined ? NOTHING : readInfo(value)];
      }),
    );
  }

  /** The tokens whose column has a value; undefined if the index cannot answer. */
  tokensOf(column: string, value: string): string[] | undefined {
    if (column !== "condition_id" && column !== "slug") return undefined;
    const [tree, prefix] = column === "slug" ? [SLUGS, slugPrefix(value)] : [CONDITIONS, conditionBytes(value)];
    const found = this.store.down(tree, Buffer.concat([prefix, LAST]), prefix, MAX_LISTED + 1);
    return found.length > MAX_LISTED ? undefined : found.map(({ key }) => tokenOfBytes(key.subarray(prefix.length)));
  }

  close(): void {
    this.store.close();
  }
}

export function readInfo(value: Buffer): ReportedOfToken {
  const slugAt = OUTCOME_AT + value.readUInt32BE(ID_BYTES + 1);
  return {
    condition_id: `0x${value.toString("hex", 0, ID_BYTES)}`,
    outcome_index: value.readUInt8(ID_BYTES),
    outcome: value.toString("utf8", OUTCOME_AT, slugAt),
    slug: value.toString("utf8", slugAt),
  };
}

/** The length comes first, so that no slug is a prefix of another. */
export function slugPrefix(slug: string): Buffer {
  const prefix = Buffer.from(`\0\0\0\0${slug}`);
  prefix.writeUInt32BE(prefix.length - 4, 0);
  return prefix;
}

function conditionBytes(condition: string): Buffer {
  const bytes = Buffer.from(condition.slice(2), "hex");
  if (bytes.length !== ID_BYTES) throw new TypeError(`${condition} is not a condition`);
  return bytes;
}
