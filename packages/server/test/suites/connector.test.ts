import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { connectors, tables } from "../../src/catalogue.ts";
import type { Call, Connector, Feed, Host, PullConnector } from "../../src/definition/connector.ts";
import { SETTINGS } from "../../src/settings.ts";

/** An upstream that answers every call with the same text and records the calls. */
function feedOf(answer: unknown, requested: Call[]): Feed {
  const reply = async <T extends z.ZodType>(call: Call, schema: T) => {
    requested.push(call);
    return schema.parse(answer);
  };
  return {
    get: reply,
    post: reply,
    rpc: async (_method, _params, schema) => schema.parse(answer),
    listen: async function* (call, schema) {
      requested.push(call);
      yield { events: [schema.parse(answer)], span: undefined, isLive: true, malformed: 0 };
    },
  };
}

const NOW = Date.UTC(2026, 10, 20);
const hostsOf = (connector: Connector): Host[] =>
  connector.kind === "pull"
    ? [connector.host, ...(connector.also ?? [])]
    : [connector.host, ...(connector.resyncHost ? [connector.resyncHost] : [])];

async function firstBatches(connector: PullConnector, answer: unknown, requested: Call[]): Promise<number> {
  const feed = feedOf(answer, requested);
  const also = Object.fromEntries((connector.also ?? []).map((host) => [host.name, feedOf(answer, requested)]));
  const walk = connector.pull({
    feed,
    also,
    cursor: undefined,
    now: () => NOW,
    known: async () => ["1"],
    signal: new AbortController().signal,
  });
  let rows = 0;
  for await (const batch of walk) {
    for (const part of batch.rows) rows += part.rows.length;
    if (requested.length > 20) break;
  }
  return rows;
}

test("every stream has a unique name", () => {
  const names = connectors.map((connector) => connector.name);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(connectors.map((connector) => [connector.name, connector] as const))("%s", (_name, connector) => {
  test("declares its title, its tables and what it needs", () => {
    expect(connector.name).toMatch(new RegExp(`^${connector.venue}-[a-z0-9-]+$`));
    expect(connector.title).not.toBe("");
    const filled = [...connector.tables, ...(connector.addsTo ?? [])];
    expect(filled.length).toBeGreaterThan(0);
    for (const table of filled) expect(tables).toContain(table);
    if (connector.needs) expect(connector.needs.adds).not.toBe("");
    for (const setting of [...(connector.needs?.settings ?? []), ...hostsOf(connector).map((host) => host.setting)]) {
      expect(SETTINGS).toHaveProperty(setting);
    }
    if (connector.kind === "pull" && connector.replacedBy) {
      expect(connectors.map((one) => one.name)).toContain(connector.replacedBy);
    }
  });

  test("uses only hosts with documented limits, and takes a share of them", () => {
    for (const host of hostsOf(connector)) {
      expect(host.share).toBeGreaterThan(0);
      expect(host.share).toBeLessThanOrEqual(1);
      expect(Object.keys(host.limits).length).toBeGreaterThan(0);
      for (const limit of Object.values(host.limits)) {
        expect(limit.tokens).toBeGreaterThan(0);
        expect(limit.perSeconds).toBeGreaterThan(0);
      }
    }
  });

  if (connector.kind === "pull") {
    test.each([
      ["text", "gone"],
      ["a number", 7],
      ["an object of another shape", { error: "gone" }],
    ])("refuses an answer that is %s, and yields no row of it", async (_what, answer) => {
      const requested: Call[] = [];
      const rows = await firstBatches(connector, answer, requested).catch((error: unknown) => {
        expect(error).toHaveProperty("issues");
        return 0;
      });
      expect(rows).toBe(0);
      const routes = new Set(hostsOf(connector).flatMap((host) => Object.keys(host.limits)));
      for (const call of requested) expect(routes, call.path).toContain(call.route);
    });
  } else {
    test("declares its socket limits, and its session refuses frames of the wrong shape", () => {
      expect(connector.maxInstrumentsPerSocket).toBeGreaterThan(0);
      expect(connector.silentAfterSeconds).toBeGreaterThan(0);
      const session = connector.session();
      for (const frame of session.subscribe(["1"])) expect(() => JSON.parse(frame) as unknown).not.toThrow();
      for (const frame of ["7", '{"type":"orderbook_delta","sid":"x"}', '[{"event_type":"book","asset_id":5}]']) {
        const decode = () => session.decode(frame, NOW).rows.flatMap((part) => part.rows);
        try {
          expect(decode()).toEqual([]);
        } catch (error) {
          expect(error).toHaveProperty("issues");
        }
      }
    });
  }
});
