import { QueryClient, QueryObserver, MutationObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { createConsole } from "../src/api/console.ts";
import { changeOptions } from "../src/api/console-queries.ts";
import { SESSION_KEY, showUser } from "../src/api/session.ts";
import type { SessionUser } from "../src/api/session-user.ts";

it("a change whose reply is lost fetches what it touches again: the service may have made it", async () => {
  const keys = ["first"];
  const api = createConsole(
    (_url, init) => {
      if (init?.method !== "POST") return Promise.resolve(Response.json({ keys: [...keys] }));
      keys.push("made");
      return Promise.reject(new TypeError("Failed to fetch"));
    },
    () => undefined,
  );
  const client = new QueryClient();
  const list = new QueryObserver(client, { queryKey: ["read", "/keys"], queryFn: () => api.get("/keys") });
  const stop = list.subscribe(() => undefined);
  await expect.poll(() => list.getCurrentResult().data).toEqual({ keys: ["first"] });
  const create = new MutationObserver(
    client,
    changeOptions({ api, client }, ["/keys"], () => ({ path: "/keys" })),
  );
  await expect(create.mutate(undefined)).rejects.toThrow("could not be reached");
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(list.getCurrentResult().data).toEqual({ keys: ["first", "made"] });
  stop();
});

const userOn = (plan: string, id = "usr_1"): SessionUser => ({
  id,
  email: "a@a.test",
  name: "A",
  role: "member",
  account: { id: "acc_1", name: "A", plan },
});

const DATASETS = ["read", "/datasets"];

it("the end of a session keeps what was read for the same user, and drops it for another", () => {
  const client = new QueryClient();
  showUser(client, userOn("free"));
  client.setQueryData(DATASETS, []);
  showUser(client, null);
  expect(client.getQueryData(SESSION_KEY)).toBeNull();
  showUser(client, userOn("free"));
  expect(client.getQueryData(DATASETS)).toEqual([]);
  showUser(client, null);
  showUser(client, userOn("free", "usr_2"));
  expect(client.getQueryState(DATASETS)).toBeUndefined();
});

it("a read of the session that began before the sign-in does not replace the user", async () => {
  const client = new QueryClient();
  const former = Promise.withResolvers<SessionUser | null>();
  const reading = client.fetchQuery({ queryKey: SESSION_KEY, queryFn: () => former.promise }).catch(() => undefined);
  showUser(client, userOn("free"));
  former.resolve(null);
  await reading;
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(client.getQueryData(SESSION_KEY)).toEqual(userOn("free"));
});

it("an account's new plan fetches the datasets again, which say what it may read, and what was refused", () => {
  const client = new QueryClient();
  const REFUSED = ["ask", 584];
  showUser(client, userOn("free"));
  for (const key of [DATASETS, REFUSED]) client.setQueryData(key, []);
  showUser(client, userOn("free"));
  expect(client.getQueryState(DATASETS)?.isInvalidated).toBe(false);
  showUser(client, userOn("pro"));
  expect(client.getQueryState(REFUSED)?.isInvalidated).toBe(true);
  expect(client.getQueryState(DATASETS)?.isInvalidated).toBe(true);
  showUser(client, userOn("pro", "usr_2"));
  expect(client.getQueryState(DATASETS)).toBeUndefined();
  expect(client.getQueryData(SESSION_KEY)).toEqual(userOn("pro", "usr_2"));
});
