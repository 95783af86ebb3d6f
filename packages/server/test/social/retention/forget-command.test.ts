import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { defineCommand } from "citty";
import { runCommandLine } from "../../../src/cli/run-command-line.ts";
import { readConfig } from "../../../src/config.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { openEngines, type Engines } from "../../../src/main/open-engines.ts";
import { socialCommand } from "../../../src/main/social-command.ts";
import { tempFolder } from "../../records/temp-folder.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { postId, socialPost } from "../../fixtures/social-rows.ts";

const SLOW = 240_000;
const folder = tempFolder();
const root = defineCommand({ meta: { name: "almanac" }, subCommands: { social: socialCommand } });
let engines: Engines;
beforeAll(async () => {
  // Open all the while, as a service that runs has them.
  engines = await openEngines(readConfig({ ALMANAC_DATA_DIR: folder.path }));
}, SLOW);
afterAll(async () => {
  await engines.close();
  folder.remove();
}, SLOW);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function almanac(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv("ALMANAC_DATA_DIR", folder.path);
  const code = await runCommandLine(root, args);
  return { code, out: out.mock.calls.join(""), err: err.mock.calls.join("") };
}

const posts = async (): Promise<number> => {
  const [row] = await engines.store.rows<{ n: string }>(fromDefinition("SELECT count() AS n FROM social_posts"));
  return Number(row?.n);
};

test(
  "beside a running service: an author's posts and parked pages go at once, and it says what went",
  { timeout: SLOW },
  async () => {
    await engines.store.insert(
      table("social_posts"),
      [0, 1, 2, 3].map((index) => socialPost(index)),
    );
    await engines.records.db
      .insertInto("parked")
      .values({
        stream: "s",
        host: "h",
        route: "r",
        path: "/",
        problem: "p",
        sample: "",
        body: `{"did":"did:plc:author0"}`,
      })
      .execute();
    const done = await almanac("social", "forget", "--author", "did:plc:author0", "--source", "bluesky", "--json");
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(done.out)).toEqual({
      what: "author",
      id: "did:plc:author0",
      sources: ["bluesky"],
      erased: { posts: 2, reactions: 0, raw_payloads: 0, parked_pages: 1 },
    });
    expect(await posts()).toBe(2);
    const one = await almanac("social", "forget", "--post", postId(1));
    expect(one.out).toContain("erased: 1 posts");
    expect(await posts()).toBe(1);
  },
);

test("says how it is used, and refuses what it does not understand", async () => {
  for (const wrong of [
    [],
    ["--author", "a", "--post", "b"],
    ["--author", "a", "--source", "reddit"],
    ["--author", " "],
    ["--autor", "a"],
  ])
    expect((await almanac("social", "forget", ...wrong)).code, wrong.join(" ")).toBe(2);
  const help = await almanac("social", "forget", "--help");
  expect(`${help.out}${help.err}`).toContain("--author");
});
