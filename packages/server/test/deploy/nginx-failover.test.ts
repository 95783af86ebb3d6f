import { request } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { nginxAbsence, startNginx, type TestNginx } from "./start-nginx.ts";
import { startPair, type Pair } from "./start-pair.ts";

const absence = nginxAbsence();
const CLIENTS = 8;

describe.skipIf(absence !== undefined)(
  `nginx in front of two real API processes${absence ? ` (${absence})` : ""}`,
  () => {
    let pair: Pair | undefined;
    let nginx: TestNginx | undefined;
    afterEach(async () => {
      await nginx?.stop();
      await pair?.close();
    });

    test("no request fails when one process is killed under load", async () => {
      const { key, processes } = (pair = await startPair());
      const { url, dispatcher } = (nginx = await startNginx(processes.map(({ port }) => port)));
      const statuses = new Map<number, number>();
      const over = new AbortController();
      let requested = 0;
      const ask = async (): Promise<void> => {
        requested += 1;
        const reply = await request(`${url}${ENDPOINT}`, {
          method: "POST",
          dispatcher,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ agent_id: 574, params: {}, pagination: { limit: 10, offset: requested % 50 } }),
        });
        await reply.body.dump();
        statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
      };
      const client = async (): Promise<void> => {
        while (!over.signal.aborted) await ask();
      };
      const clients = Array.from({ length: CLIENTS }, client);
      await expect.poll(() => requested).toBeGreaterThan(50);
      processes[0]?.end("SIGKILL");
      await processes[0]?.ended;
      const before = requested;
      await expect.poll(() => requested).toBeGreaterThan(before + 100);
      over.abort();
      await Promise.all(clients);
      expect([...statuses.keys()]).toEqual([200]);
    });
  },
);
