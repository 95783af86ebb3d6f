import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRecords, type Records } from "../../src/records/records.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

type Peer = { readonly id: string; readonly account: string; readonly browser: Browser };

const ROUNDS = 2;

const demote = ({ browser }: Peer, { id }: Peer) => browser.send("POST", `/users/${id}/role`, { role: "member" });
const disable = ({ browser }: Peer, { id }: Peer) => browser.send("POST", `/users/${id}/disable`);
const disableAccount = ({ browser }: Peer, { account }: Peer) =>
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

  const newPeer = async (account: string, role: "owner" | "operator"): Promise<Peer> => {
    const { id, email } = await host.makeUser(account, role);
    return { id, account, browser: await host.signedIn(email) };
  };
  const newOperator = async (): Promise<Peer> => await newPeer(await host.makeAccount("a"), "operator");
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

  test.each([
    ["demote", demote],
    ["disable", disable],
  ])("of two owners who %s each other at the same moment, one remains", async (_, change) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await host.makeAccount("a");
      const [a, b] = [await newPeer(account, "owner"), await newPeer(account, "owner")];
      const replies = await Promise.all([change(a, b), change(b, a)]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([401, 403]).toContain(replies.find(({ status }) => status !== 200)?.status);
    }
  });
}
