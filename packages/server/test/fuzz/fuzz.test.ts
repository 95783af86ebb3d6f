import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { tables } from "../../src/catalogue.ts";
import { ENDPOINT } from "../../src/http/create-door.ts";
import { openService, type Service } from "../promises/service.ts";
import { storeChecksum } from "../promises/store-checksum.ts";
import { randomFrom } from "./random.ts";
import { rawFuzz } from "./raw-fuzz.ts";
import { runFuzz } from "./run-fuzz.ts";

const REQUESTS = thoroughly(8000, 1800);
/** Prime to how many hostile values there are: the values wander from parameter to parameter. */
const NTH = thoroughly(1, 31);
const RAW_REQUESTS = thoroughly(2000, 500);
const MAX_MS = 900_000;
const SEED = 20_261_120;

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service?.close(), 30_000);

const secrets = tables.map((table) => new RegExp(`\\b${table.name}\\b`));

describe("anything at all sent to the door", () => {
  it(
    `is answered as promised, ${REQUESTS} times (seed ${SEED})`,
    async () => {
      const report = await runFuzz({
        baseUrl: service.url,
        path: ENDPOINT,
        key: service.key,
        catalogue: service.catalogue,
        checksum: () => storeChecksum(service.store),
        seed: SEED,
        requests: REQUESTS,
        nth: NTH,
        secrets,
      });
      const { problems, changed, ...figures } = report;
      process.stderr.write(`fuzz ${JSON.stringify(figures)}\n`);
      expect(problems).toEqual([]);
      expect(changed).toEqual([]);
      expect(figures.sent).toBeGreaterThanOrEqual(REQUESTS);
      expect(figures.byStatus["200"]).toBeGreaterThan(REQUESTS / 20);
      const failed = service.lines.filter((line) => line["level"] === 50);
      expect(failed).toEqual([]);
    },
    MAX_MS,
  );

  it(`is answered as promised also where it is hardly HTTP, ${RAW_REQUESTS} times (seed ${SEED})`, async () => {
    const body = JSON.stringify({ agent_id: 574, pagination: { limit: 1 } });
    const head = `POST ${ENDPOINT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const check = { maxMilliseconds: 30_000, secrets };
    const { problems, byStatus } = await rawFuzz(service.port, head + body, randomFrom(SEED), RAW_REQUESTS, check);
    process.stderr.write(`raw fuzz ${JSON.stringify(byStatus)}\n`);
    expect(problems).toEqual([]);
    expect(byStatus["400"]).toBeGreaterThan(RAW_REQUESTS / 10);
    expect((await service.ask({ agent_id: 574 })).status).toBe(200);
  });
});
