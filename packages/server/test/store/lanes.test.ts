import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openLanes } from "../../src/store/lanes.ts";

test("closes an idle connection itself, however long the engine says that it keeps it", async () => {
  const server = createServer((_, response) => {
    response.setHeader("Keep-Alive", "timeout=600, max=9999");
    response.end("1");
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const lanes = openLanes(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 20);
  onTestFinished(async () => {
    await lanes.close();
    server.closeAllConnections();
    server.close();
  });
  const closed = once(server, "connection").then(([socket]) => once(socket, "close"));
  const answer = await lanes.of().request({ method: "POST", path: "/", body: "SELECT 1" });
  expect(await answer.body.text()).toBe("1");
  await closed;
});
