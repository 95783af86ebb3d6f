import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresSessions } from "../../src/records/postgres-sessions.ts";
import type { Sessions } from "../../src/records/session.ts";
import { freePort } from "../fixtures/free-port.ts";
import { openTcpProxy, type TcpProxy } from "../scale/net/tcp-proxy.ts";
import { findPostgres, startPostgres, type TestPostgres } from "./start-postgres.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const CONNECTIONS = 10;
const ROUNDS = 10;

describe.skipIf("reason" in found)(`PostgreSQL connections that are all lost at once${reason}`, () => {
  let postgres: TestPostgres;
  let url: URL;
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
    url = new URL(await postgres.newDatabase());
  });
  afterAll(() => postgres.stop());

  test.for([{ neverResets: true }, { neverResets: false }])("are re-established (%o)", async (how) => {
    const proxy = await openTcpProxy({ port: Number(url.port), ...how });
    const sessions = postgresSessions(`postgres://postgres@127.0.0.1:${proxy.port}${url.pathname}`);
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await loseAll(sessions, proxy);
        const again = Array.from({ length: CONNECTIONS }, () => ask(sessions, "select 1 as n"));
        expect(await Promise.all(again)).toEqual(again.map(() => [{ n: 1 }]));
      }
    } finally {
      await sessions.close();
      await proxy.close();
    }
  });
});

test("an unreachable server is reported with its address", async () => {
  const sessions = postgresSessions(`postgres://postgres@localhost:${await freePort()}/almanac`);
  await expect(sessions.acquire()).rejects.toMatchObject({
    problem: "unreachable",
    message: expect.stringMatching(/^the control records at localhost:\d+ cannot be reached: connect ECONNREFUSED/),
  });
  await sessions.close();
});

async function ask(sessions: Sessions, text: string): Promise<unknown> {
  const session = await sessions.acquire();
  try {
    return (await session.query(text, [])).rows;
  } finally {
    session.release();
  }
}

/**
 * Follows each failed statement at once by one on its own connection and one on a connection not yet known to be lost.
 */
async function loseAll(sessions: Sessions, proxy: TcpProxy): Promise<void> {
  const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => sessions.acquire()));
  await Promise.all(all.map((one) => one.query("select 1", [])));
  const others = all.splice(CONNECTIONS / 2);
  const requested = all.map(async (one, index) => {
    await expect(one.query("select pg_sleep(30)", [])).rejects.toThrow();
    one.release();
    await Promise.allSettled([others[index]?.query("select 2", []), ask(sessions, "select 3")]);
  });
  await setImmediate();
  proxy.turn({ isCut: true });
  await Promise.all(requested);
  proxy.turn({});
  for (const other of others) other.release();
  // A reset connection is reported twice, the second time after pending immediate callbacks.
  await setImmediate();
  await setImmediate();
}
