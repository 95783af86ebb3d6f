import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino, type Logger } from "pino";
import { Registry } from "prom-client";
import { openAccess } from "../../src/access/access.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { editPlan } from "../../src/access/plans.ts";
import { datasets, tables } from "../../src/catalogue.ts";
import type { Coverage, CoverageOf } from "../../src/definition/coverage.ts";
import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { createServer } from "../../src/http/create-server.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import type { ServerOptions } from "../../src/http/server-options.ts";
import { openQuery } from "../../src/query/open-query.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";
import { rowsFor } from "./rows-for.ts";

const ROWS = 250;
const COMPLETE: Coverage = {
  complete: true,
  from: "2022-11-21T00:00:00Z",
  to: "2026-11-20T00:00:00Z",
  gaps: [],
  reasons: [],
};

export type Service = {
  readonly url: string;
  readonly endpoint: string;
  readonly port: number;
  readonly catalogue: readonly DatasetDefinition[];
  readonly folder: string;
  readonly store: OpenStore;
  readonly records: Records;
  readonly admin: AdminContext;
  /** A key of a plan with access to everything and no practical rate limit. */
  readonly key: string;
  readonly makeKey: (options?: { plan?: string; expires?: Date; datasets?: number[] }) => Promise<string>;
  readonly lines: Record<string, unknown>[];
  /** Advances the clock of keys and allowances. */
  readonly pass: (milliseconds: number) => void;
  /** Sets how coverage is computed from now on; complete again if undefined. */
  readonly judgeBy: (coverageOf: CoverageOf | undefined) => void;
  readonly ask: (body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly close: () => Promise<void>;
};

/** The parts available to `prepare` before the server opens. */
export type ServiceParts = Pick<Service, "store" | "records" | "admin"> & { readonly log: Logger };

type Wanted = Partial<ServerOptions> & {
  readonly coverage?: Coverage;
  readonly prepare?: (parts: ServiceParts) => Promise<Partial<ServerOptions>>;
};

/**
 * Opens the real service on a free port and in its own folder: engine, records, keys, query and HTTP server, with rows
 * in every table.
 */
export async function openService(more: Wanted = {}): Promise<Service> {
  const { coverage = COMPLETE, prepare = async () => ({}), ...options } = more;
  const folder = mkdtempSync(join(tmpdir(), "almanac-promises-"));
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, sinkOf(lines));
  let passed = 0;
  let judge: CoverageOf | undefined;
  const clock = (): number => Date.now() + passed;
  const [store, records] = await Promise.all([
    openFilledStore(join(folder, "store")),
    openRecords({ dataDir: join(folder, "records") }),
  ]);
  const admin: AdminContext = { db: records.db, clock, actor: "test" };
  await editPlan(admin, "enterprise", { requests_per_minute: 1_000_000, burst: 1_000_000, max_page: 10_000 });
  const makeKey: Service["makeKey"] = async ({ plan = "enterprise", ...requested } = {}) => {
    const { account } = await createAccount(admin, {
      name: "a",
      email: `${randomUUID()}@x.example`,
      plan,
    });
    return (await createKey(admin, { account: account.id, ...requested })).key;
  };
  const key = await makeKey();
  const access = openAccess({ records, clock, log });
  const ask = openQuery({
    store,
    catalogue: datasets,
    coverageOf: (named, requested) => judge?.(named, requested) ?? Promise.resolve(coverage),
    secret: Buffer.alloc(32, 7),
    paramsUnknown: "reject",
    now: clock,
  });
  const app = createServer({
    ask,
    access,
    catalogue: datasets,
    readiness: async () => ({ ready: true, reasons: [] }),
    metrics: createHttpMetrics(new Registry()),
    log,
    publicUrl: "https://almanac.example",
    paramsUnknown: "reject",
    clock,
    ...options,
    ...(await prepare({ store, records, admin, log })),
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    endpoint: url + ENDPOINT,
    port,
    catalogue: datasets,
    folder,
    store,
    records,
    admin,
    key,
    makeKey,
    lines,
    judgeBy: (coverageOf) => {
      judge = coverageOf;
    },
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    ask: (body, headers = {}) =>
      fetch(url + ENDPOINT, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    close: async () => {
      await app.close();
      await access.close();
      await records.close();
      // The 503 test has already closed it.
      await store.close().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openFilledStore(folder: string): Promise<OpenStore> {
  const store = await openMigratedStore(folder);
  for (const table of tables) await store.insert(table, rowsFor(table, ROWS));
  return store;
}

function sinkOf(lines: Record<string, unknown>[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
}
