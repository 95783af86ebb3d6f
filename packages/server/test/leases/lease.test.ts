import fc from "fast-check";
import { expect, test } from "vitest";
import { createLease, type Lease } from "../../src/ingest/leases/lease.ts";
import { planTakes, type Work } from "../../src/ingest/leases/plan-takes.ts";
import { connectors } from "../../src/catalogue.ts";
import { groupStreams } from "../../src/ingest/leases/group-streams.ts";

const LIFE_MS = 100;
const PROCESSES = 3;

type Step =
  | { readonly do: "wait"; readonly ms: number }
  /** The records answer `lateMs` after they were asked: the process was stopped meanwhile, or the network is slow. */
  | { readonly do: "take" | "renew"; readonly who: number; readonly lateMs: number };

const who = fc.integer({ min: 0, max: PROCESSES - 1 });
const lateMs = fc.integer({ min: 0, max: 3 * LIFE_MS });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 2 * LIFE_MS }) }),
  fc.record({ do: fc.constantFrom("take" as const, "renew" as const), who, lateMs }),
);

test("at no moment are two processes sure of one lease, however long any of them was stopped", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0;
      const record = { owner: -1, token: 0, expiresAt: 0 };
      const leases = new Map<number, Lease>();
      const clock = { monotonicMs: () => now, now: () => now };
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
          const asked = now;
          // The records do their part at once or in the middle of it; the answer comes at its end.
          now += each.lateMs / 2;
          if (each.do === "take" && now > record.expiresAt) {
            Object.assign(record, { owner: each.who, token: record.token + 1, expiresAt: now + LIFE_MS });
            leases.set(each.who, createLease([{ name: "a", token: record.token }], asked + LIFE_MS, clock));
          } else if (each.do === "renew") {
            const lease = leases.get(each.who);
            if (record.owner === each.who && lease?.held[0]?.token === record.token) {
              record.expiresAt = now + LIFE_MS;
              lease.renewed(asked + LIFE_MS);
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

test("who waits to be sure again goes on once the lease is renewed, and is refused once it is lost", async () => {
  let now = 0;
  const lease = createLease([{ name: "a", token: 1 }], 10, { monotonicMs: () => now, now: () => now });
  await lease.sure();
  now = 11;
  const waiting = lease.sure();
  lease.renewed(20);
  await waiting;
  now = 21;
  const refused = expect(lease.sure()).rejects.toThrow(/a may not be written by this process now: another process/);
  lease.lose();
  await refused;
  expect(lease.signal.aborted).toBe(true);
});

test("no table is written by two groups of streams", () => {
  const owner = new Map<string, number>();
  for (const [index, group] of groupStreams(connectors).entries()) {
    for (const { tables, addsTo = [] } of group) {
      for (const { name } of [...tables, ...addsTo]) {
        expect(owner.get(name) ?? index, name).toBe(index);
        owner.set(name, index);
      }
    }
  }
  expect(groupStreams(connectors).flat()).toHaveLength(connectors.length);
});

test("however processes come and go, the pieces are spread evenly in the end and nothing is held twice", () => {
  const works = Array.from({ length: 7 }, (_, index): Work => {
    const name = `stream-${index}`;
    return { name, kind: "streams", leases: [name], run: () => Promise.resolve() };
  });
  const change = fc.record({ isComing: fc.boolean(), role: fc.constantFrom("all", "ingest", "derive") });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (changes) => {
      const processes: { readonly role: string; readonly held: Set<string> }[] = [];
      for (const { isComing, role } of changes) {
        if (isComing) processes.push({ role, held: new Set() });
        else processes.shift();
        for (let round = 0; round < 40; round += 1) {
          const roles = new Map<string, number>();
          for (const one of processes) roles.set(one.role, (roles.get(one.role) ?? 0) + 1);
          for (const one of processes) {
            const taken = new Set(processes.flatMap(({ held }) => [...held]));
            const free = works.filter(({ name }) => !taken.has(name)).map(({ name }) => ({ name, ranOut: false }));
            const plan = planTakes(works, one.held, { free, roles }, { role: one.role, mayTakeOver: true });
            for (const { name } of plan.take) one.held.add(name);
            if (plan.handOver) one.held.delete(plan.handOver);
          }
        }
        const able = processes.filter((one) => one.role !== "derive");
        const counts = able.map(({ held }) => held.size);
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(able.length === 0 ? 0 : works.length);
        for (const count of counts) expect(count).toBeLessThanOrEqual(Math.ceil(works.length / able.length));
      }
    }),
    { numRuns: 100 },
  );
});
