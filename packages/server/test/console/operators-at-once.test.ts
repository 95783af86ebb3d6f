import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRecords, type Records } from "../../src/records/records.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

type Operator = { readonly id: string; readonly account: string; readonly browser: Browser };

const ROUNDS = 2;

const demote = ({ browser }: Operator, { id }: Operator) =>
  browser.send("POST", `/users/${id}/role`, { role: "member" });
const disable = ({ browser }: Operator, { id }: Operator) => browser.send("POST", `/users/${id}/disable`);
const disableAccount = ({ browser }: Operator, { account }: Operator) =>
  browser.send("POST", `/operator/accounts/${account}/disable`);

for (const { name, isAbsent, start } of recordsHosts()) describe.skipIf(isAbsent)(name, () => operatorSuite(start));

function operatorSuite(start: () => Promise<RecordsHost>): void {
  let place: RecordsHost;
  let records: Records;
  let host: ConsoleHost;
  beforeAll(async () => {
    place = await start();
    records = await openRecords(await place.newPlace());
    host = await openConsoleHost({ records });
  });
  afterAll(async () => {
    await host?.close();
    await records?.close();
    await place?.stop();
  });

  const newOperator = async (): Promise<Operator> => {
    const account = await host.makeAccount("a");
    const { id, email } = await host.makeUser(account, "operator");
    return { id, account, browser: await host.signedIn(email) };
  };
  test.each([
    ["demote", demote, demote],
    ["disable", disable, disable],
    ["disable the account of", disableAccount, disableAccount],
    ["demote and disable the account of", demote, disableAccount],
  ])("of two operators who %s each other at the same moment, one remains", async (_, one, other) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [await newOperator(), await newOperator()];
      const replies = await Promise.all([one(a, b), other(b, a)]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([401, 403]).toContain(replies.find(({ status }) => status !== 200)?.status);
      const left = await Promise.all([a, b].map(({ browser }) => browser.send("GET", "/operator/accounts")));
      expect(left.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    }
  });
}
