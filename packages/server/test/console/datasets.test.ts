import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { describeDataset, type DescribedDataset } from "../../src/definition/describe-dataset.ts";
import { openapi } from "../../src/http/openapi/openapi.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

type Listed = DescribedDataset & { readonly may_read: boolean };

let host: ConsoleHost;
let made = 0;
beforeAll(async () => {
  host = await openConsoleHost({ server: { catalogue: datasets } });
});
afterAll(() => host.close());

async function listed(plan: string): Promise<readonly Listed[]> {
  made += 1;
  const account = await host.makeAccount(`${plan}-${made}`, plan);
  const { email } = await host.makeUser(account, "member");
  const reply = await (await host.signedIn(email)).send("GET", "/datasets");
  expect(reply.status).toBe(200);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  return reply.json["datasets"] as readonly Listed[];
}

describe("GET /api/console/datasets", () => {
  it("lists every dataset, and marks those that the account's plan may read", async () => {
    const free = await listed("free");
    expect(free.map((one) => one.agent_id).sort()).toEqual(datasets.map((one) => one.agentId).sort());
    const closed = free.filter((one) => !one.may_read).map((one) => one.name);
    expect(closed.sort()).toEqual(["score-history", "wallet-score-leaderboard"]);
    expect((await listed("enterprise")).every((one) => one.may_read)).toBe(true);
  });

  it("offers no larger page than the plan allows", async () => {
    const free = (await listed("free")).find((one) => one.name === "polymarket-candles");
    expect(free?.limit).toEqual({ default: 200, max: 200 });
    const all = (await listed("enterprise")).find((one) => one.name === "polymarket-candles");
    expect(all?.limit).toEqual({ default: 500, max: 10_000 });
  });

  it("requires a session", async () => {
    expect((await host.browser().send("GET", "/datasets")).status).toBe(401);
  });

  it("describes a parameter as the form needs it", async () => {
    const trades = (await listed("free")).find((one) => one.name === "polymarket-trades");
    const param = (name: string) => trades?.params.find((one) => one.name === name);
    expect(param("proxy_wallet")).toEqual({
      name: "proxy_wallet",
      type: "list of wallet address",
      about: "Owner of the order (proxy wallet).",
      expected: "0x followed by 40 hexadecimal digits",
      is_required: false,
      is_list: true,
      choices: null,
      default: null,
      default_unless: null,
      off_values: ["ALL", "BOTH"],
      aliases: ["wallet", "wallet_address", "wallet_proxy", "address"],
    });
    expect(param("side")).toMatchObject({ choices: ["BUY", "SELL"], off_values: ["ALL", "BOTH"] });
    expect(trades?.row.find((one) => one.name === "price")).toEqual({
      name: "price",
      wire: "num",
      unit: "USD per share",
      nullable: false,
      about: "Notional / shares, 0 to 1.",
    });
  });
});

type RequestSchema = {
  readonly properties: {
    readonly params: {
      readonly required?: readonly string[];
      readonly properties: Readonly<Record<string, { readonly description: string; readonly "x-type": string }>>;
    };
  };
};

describe("a dataset as JSON", () => {
  const { schemas } = openapi(datasets, "http://x")["components"] as { schemas: Record<string, RequestSchema> };

  it.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    "of %s has the parameters of its OpenAPI schema",
    (name, dataset) => {
      const reported = describeDataset(dataset);
      const schema =
        schemas[`${name.replace(/(^|-)([a-z0-9])/g, (_all, _dash, first: string) => first.toUpperCase())}Request`];
      const { params } = schema?.properties ?? {};
      expect(reported.params.map((one) => one.name)).toEqual(Object.keys(params?.properties ?? {}));
      expect(reported.params.filter((one) => one.is_required).map((one) => one.name)).toEqual(params?.required ?? []);
      for (const one of reported.params) {
        expect(params?.properties[one.name]?.["x-type"]).toBe(one.type);
        expect(params?.properties[one.name]?.description.startsWith(one.about)).toBe(true);
      }
    },
  );

  it.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
    "of %s describes every parameter and its expected values",
    (_name, dataset) => {
      for (const one of describeDataset(dataset).params) {
        expect(one.about).not.toBe("");
        expect(one.expected.length).toBeGreaterThan(3);
        expect(one.off_values).not.toContain("");
        expect(one.aliases).not.toContain(one.name);
      }
    },
  );
});
