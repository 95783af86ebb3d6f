import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { newKey } from "../../src/access/find.ts";
import { createLog } from "../../src/log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void, level = "info"): string {
  let text = "";
  const to = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk.toString();
      done();
    },
  });
  write(createLog(level, to));
  return text;
}

describe("the log", () => {
  test("is one JSON object per line, with level and ISO time", () => {
    const lines = logged((log) => {
      log.info({ rows: 3 }, "read");
      log.debug("left out");
      log.error({ err: new Error("broken") }, "failed");
    })
      .trim()
      .split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      rows: 3,
      msg: "read",
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ level: "error", err: { message: "broken" } });
  });

  test("contains no key, token or password, in whatever field or text it is passed", () => {
    const key = newKey();
    const text = logged((log) => {
      log.info({
        authorization: `Bearer ${key}`,
        token: "hush",
        req: { headers: { authorization: "hush", cookie: "hush" } },
      });
      log.info({ settings: { password: "hush", privateKey: "hush" } }, `asked with ${key}`);
      log
        .child({ secret: "hush" })
        .warn({ err: new Error(`postgres://user:hush@host/db said no to Bearer hush`) }, "x");
      log.info({ list: [{ note: key }] }, "Authorization: bearer hush");
    });
    expect(text).not.toContain("hush");
    expect(text).not.toContain(key.split("_")[2]);
    expect(text).toContain(key.slice(0, 15));
    for (const line of text.trim().split("\n")) JSON.parse(line);
  });
});
