import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresSessions } from "../../src/records/postgres-sessions.ts";
import type { Sessions } from "../../src/records/session.ts";
import { findPostgres, startPostgres, type TestPostgres } from "./start-postgres.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const ANSWER_MS = 400;

describe.skipIf("reason" in found)(`PostgreSQL that does not respond${reason}`, () => {
  let postgres: TestPostgres;
  let sessions: Sessions;
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
    sessions = postgresSessions(await postgres.newDatabase(), ANSWER_MS);
  });
  afterAll(async () => {
    await sessions.close();
    await postgres.stop();
  });

  const ask = async (text: string): Promise<unknown> => {
    const session = await sessions.acquire();
    try {
      return (await session.query(text, [])).rows;
    } finally {
      session.release();
    }
  };

  test("fails the statement after a timeout and replaces the connection", async () => {
    // More than the pool's connections: each of them is given up once.
    const requested = Array.from({ length: 25 }, () => ask("select pg_sleep(60)"));
    for (const one of await Promise.allSettled(requested)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "08006", message: /did not answer in 0\.4 s/ } });
    }
    expect(await ask("select 1 as n")).toEqual([{ n: 1 }]);
  });

  test("ends the waiting transaction, and nothing of it is stored", async () => {
    await ask("create table t (n int)");
    const session = await sessions.acquire();
    await session.query("begin", []);
    await session.query("insert into t values (1)", []);
    await expect(session.query("select pg_sleep(60)", [])).rejects.toMatchObject({ code: "08006" });
    await expect(session.query("commit", [])).rejects.toMatchObject({ code: "08006" });
    session.release();
    expect(await ask("select count(*) as n from t")).toEqual([{ n: 0 }]);
  });
});
