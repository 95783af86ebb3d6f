import fastify from "fastify";
import { mountRecordings } from "../../src/record/mount-recordings.ts";
import { openRecordings } from "../../src/record/open-recordings.ts";
import type { RecordedService } from "../../src/record/recording.ts";
import { RECORDED } from "./recorded-folder.ts";

/** A listening app with the recordings of one service, in front of a world that says only that it was asked. */
export async function recordingApp(service: RecordedService) {
  const app = fastify({ forceCloseConnections: true });
  mountRecordings(
    app,
    openRecordings(RECORDED).filter((recording) => recording.service === service),
  );
  app.all("/*", async () => ({ world: true }));
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const ask = async <T>(path: string, body?: unknown) => {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(url + path, body === undefined ? {} : post);
    return { status: response.status, body: (await response.json()) as T };
  };
  return { ask, close: async () => app.close() };
}

/** What the app answers when no recording does. */
export const WORLD = { status: 200, body: { world: true } };
