import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FoldReader } from "../../src/definition/fold.ts";
import { sql, type Sql } from "../../src/definition/sql.ts";
import { CONDITION, knownOnce, tabRows, TOKEN } from "../../src/derivations/wallet-read/known-once.ts";
import { foldReader } from "../../src/ingest/fold/fold-reads.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";

/** More than the number that is looked up by id. */
const MANY = 9_500;
const hashed = (text: string): string => createHash("sha256").update(text).digest("hex");
const tokens = Array.from({ length: MANY }, (_, index) => ({
  token_id: BigInt(`0x${hashed(`token ${index}`)}`).toString(),
  condition_id: `0x${hashed(`condition ${index}`)}`,
  outcome_index: index % 2,
  outcome: "",
  slug: `slug-${index}`,
}));
const unknown = [BigInt(`0x${hashed("unknown")}`).toString(), "7"];

let store: Awaited<ReturnType<typeof openTestStore>>;
let read: FoldReader;
let statements: string[];
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(polymarketTokens, tokens);
});
afterAll(() => store.close());

/** Looks up slugs by token or by condition. */
function slugs(kind: "token" | "condition", ids: readonly string[]) {
  const id = kind === "token" ? sql`toString(token_id)` : sql`concat('0x', lower(hex(condition_id)))`;
  const find = async (chosen: Sql): Promise<ReadonlyMap<string, string>> => {
    const bytes = await read.bytes(sql`SELECT ${id}, slug FROM ${polymarketTokens} FINAL WHERE ${chosen}`, "TSV");
    return new Map([...tabRows(bytes)].map(([key = "", slug = ""]) => [key, slug]));
  };
  const [by, column] = kind === "token" ? [TOKEN, "token_id"] : [CONDITION, "condition_id"];
  return knownOnce(read, { name: kind, kind: by, column, find }, ids);
}

beforeEach(() => {
  const requested = foldReader(store);
  statements = [];
  read = {
    ...requested,
    bytes: (statement, format) => {
      statements.push(statement.text);
      return requested.bytes(statement, format);
    },
  };
});

describe("a lookup by id within a piece of work", () => {
  test.each(["token", "condition"] as const)("gives the same for a few ids and for all, by %s", async (kind) => {
    const ids = tokens.map((one) => (kind === "token" ? one.token_id : one.condition_id));
    const few = ids.slice(0, 2_000);
    const some = new Map(await slugs(kind, few));
    expect(some).toEqual(new Map(few.map((id, index) => [id, `slug-${index}`])));
    expect(statements).toHaveLength(2);

    read.memory.clear();
    statements.length = 0;
    const all = await slugs(kind, ids);
    expect(all).toEqual(new Map(ids.map((id, index) => [id, `slug-${index}`])));
    expect(statements).toHaveLength(8);
  });

  test("is read once for slices that are computed concurrently, and not again for missing ids", async () => {
    const ids = tokens.map(({ token_id: id }) => id);
    const [one, other] = await Promise.all([slugs("token", ids), slugs("token", [...ids.toReversed(), ...unknown])]);
    expect(one).toBe(other);
    expect(other.size).toBe(MANY + unknown.length);
    expect(unknown.map((id) => other.get(id))).toEqual([undefined, undefined]);
    await slugs("token", unknown);
    expect(statements).toHaveLength(8);
  });

  test("requests by id what exceeds the number of rows that may be kept", async () => {
    const ids = Array.from({ length: MANY }, (_, index) => String(index));
    const requested = { ranges: 0, ids: 0 };
    const many = new Map(Array.from({ length: 500_001 }, (_, index) => [String(index + 9_000), "by range"]));
    const known = await knownOnce(
      read,
      {
        name: "many",
        kind: TOKEN,
        column: "token_id",
        find: async ({ text, values }) => {
          if (!text.includes("splitByChar")) {
            requested.ranges += 1;
            return many;
          }
          const some = String(values[0]?.value).split(",");
          requested.ids += some.length;
          return new Map(some.map((id) => [id, "by id"]));
        },
      },
      ids,
    );
    expect(requested).toEqual({ ranges: 1, ids: 9_000 });
    expect([known.get("0"), known.get("8999"), known.get("9000")]).toEqual(["by id", "by id", "by range"]);
  });
});
