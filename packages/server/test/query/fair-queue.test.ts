import { expect, test } from "vitest";
import { FairQueue } from "../../src/query/fair-queue.ts";

const refusal = (): Error => new Error("too many");

/** Tasks that end on request, and the order in which they began. */
function worksOf(turns: FairQueue) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    take: (account: string, name: string, signal?: AbortSignal): Promise<string> =>
      turns.take(account, signal, async () => {
        began.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test("an account with one task waits for only one running task, however many others queue", async () => {
  const { began, take, end } = worksOf(new FairQueue({ places: 2, waiting: 100, refusal }));
  for (let index = 0; index < 50; index += 1) void take("many", `m${index}`);
  void take("one", "o");
  expect(began).toEqual(["m0", "m1"]);
  await end("m1");
  expect(began).toEqual(["m0", "m1", "o"]);
  await end("o");
  expect(began).toEqual(["m0", "m1", "o", "m2"]);
});

test("serves queued accounts round-robin", async () => {
  const { began, take, end } = worksOf(new FairQueue({ places: 1, waiting: 100, refusal }));
  for (const account of ["a", "b", "c"]) for (const at of [1, 2, 3]) void take(account, `${account}${at}`);
  for (let index = 0; index < 8; index += 1) await end(began.at(-1) ?? "");
  expect(began).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]);
});

test("if too many wait, evicts the newest task of the account with the most, and refuses new ones of that account", async () => {
  const { began, take, end } = worksOf(new FairQueue({ places: 1, waiting: 3, refusal }));
  void take("many", "m0");
  const waiting = ["m1", "m2", "m3"].map((name) => take("many", name));
  await expect(take("many", "m4")).rejects.toThrow("too many");
  const gaveWay = expect(waiting[2]).rejects.toThrow("too many");
  void take("one", "o");
  await gaveWay;
  for (const name of ["m0", "o", "m1"]) await end(name);
  expect(began).toEqual(["m0", "o", "m1", "m2"]);
});

test("a task that is aborted while queued never begins and frees its place in the queue", async () => {
  const { began, take, end } = worksOf(new FairQueue({ places: 1, waiting: 1, refusal }));
  void take("a", "a1");
  const leaving = new AbortController();
  const left = take("b", "b1", leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ kind: "cancelled" });
  await expect(take("b", "b2", leaving.signal)).rejects.toMatchObject({ kind: "cancelled" });
  void take("c", "c1");
  await end("a1");
  expect(began).toEqual(["a1", "c1"]);
});

test("a task that fails frees its place", async () => {
  const turns = new FairQueue({ places: 1, waiting: 1, refusal });
  await expect(turns.take("a", undefined, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(turns.take("a", undefined, async () => "yes")).resolves.toBe("yes");
});
