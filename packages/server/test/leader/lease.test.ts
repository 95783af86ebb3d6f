import fc from "fast-check";
import { expect, test } from "vitest";
import { createLease, type Lease } from "../../src/ingest/leader/lease.ts";

const LIFE_MS = 100;
const PROCESSES = 3;

type Step =
  | { readonly do: "wait"; readonly ms: number }
  /** The records answer `lateMs` after the request: the process was suspended meanwhile, or the network is slow. */
  | { readonly do: "take" | "renew"; readonly who: number; readonly lateMs: number };

const who = fc.integer({ min: 0, max: PROCESSES - 1 });
const lateMs = fc.integer({ min: 0, max: 3 * LIFE_MS });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 2 * LIFE_MS }) }),
  fc.record({ do: fc.constantFrom("take" as const, "renew" as const), who, lateMs }),
);

test("no two processes believe that they lead at the same time, however long any of them was suspended", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0;
      const record = { owner: -1, token: 0, expiresAt: 0 };
      const leases = new Map<number, Lease>();
      const monotonicMs = (): number => now;
      const requireOneOwner = (): void => {
        const sure = [...leases.values()].filter((lease) => {
          try {
            lease.check();
            return true;
          } catch {
            return false;
          }
        });
        expect(sure.length).toBeLessThanOrEqual(1);
      };
      for (const each of steps) {
        if (each.do === "wait") now += each.ms;
        else {
          const requested = now;
          // The records act halfway through the delay; the response arrives at its end.
          now += each.lateMs / 2;
          if (each.do === "take" && now > record.expiresAt) {
            Object.assign(record, { owner: each.who, token: record.token + 1, expiresAt: now + LIFE_MS });
            leases.set(each.who, createLease(record.token, requested + LIFE_MS, monotonicMs));
          } else if (each.do === "renew") {
            const lease = leases.get(each.who);
            if (record.owner === each.who && lease?.token === record.token) {
              record.expiresAt = now + LIFE_MS;
              lease.renewed(requested + LIFE_MS);
            }
          }
          requireOneOwner();
          now += each.lateMs / 2;
        }
        requireOneOwner();
      }
    }),
    { numRuns: 500 },
  );
});

test("waiting for a valid lease resolves once it is renewed, and rejects once it is lost", async () => {
  let now = 0;
  const lease = createLease(1, 10, () => now);
  await lease.sure();
  now = 11;
  const waiting = lease.sure();
  lease.renewed(20);
  await waiting;
  now = 21;
  const refused = expect(lease.sure()).rejects.toThrow("this process may not write now: another process leads");
  lease.lose("another process leads");
  await refused;
  expect(lease.signal.aborted).toBe(true);
});

test("a process that knows of another leader writes nothing more, however long its own lease would have lasted", async () => {
  const lease = createLease(1, 100, () => 0);
  expect(lease.check).not.toThrow();
  lease.lose("another process leads");
  expect(lease.check).toThrow("this process may not write now: another process leads");
  lease.renewed(200);
  expect(lease.check).toThrow("another process leads");
  await expect(lease.sure()).rejects.toThrow("another process leads");
});
