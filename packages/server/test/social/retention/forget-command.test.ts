import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { defineCommand } from "citty";
import { commandContext, runInContext } from "../../../src/cli/command-context.ts";
import { runCommandLine } from "../../../src/cli/run-command-line.ts";
import { readConfig } from "../../../src/config.ts";
import { createJobs } from "../../../src/control/jobs.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { RunningOwner } from "../../../src/main/command-engines.ts";
import { openEngines, type Engines } from "../../../src/main/open-engines.ts";
import { socialCommand } from "../../../src/main/social/forget-command.ts";
import { tempFolder } from "../../records/temp-folder.ts";
import { table } from "../../fixtures/sample-rows.ts";
import { postId, socialPost } from "../../fixtures/social-rows.ts";

const AT = new Date("2026-11-01T12:00:00Z");
const folder = tempFolder();
const root = defineCommand({ meta: { name: "almanac" }, subCommands: { social: socialCommand } });
const config = readConfig({ ALMANAC_DATA_DIR: folder.path });
let engines: Engines;
let owner: RunningOwner;
beforeAll(async () => {
  // Open throughout, as in a running service.
  engines = await openEngines(config);
  owner = { config, engines, records: engines.records, jobs: createJobs(Date.now) };
});
afterAll(async () => {
  await engines.close();
  folder.remove();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function almanac(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const code = await runInContext({ ...commandContext(), owner }, () => runCommandLine(root, args));
  return { code, out: out.mock.calls.join(""), err: err.mock.calls.join("") };
}

const park = (stream: string, body: string) =>
  engines.records.db
    .insertInto("parked")
    .values({ stream, host: "h", route: "r", path: "/", problem: "p", sample: "words of theirs", body, parked_at: AT })
    .execute();
const bodies = async (): Promise<string[]> => {
  const pages = await engines.records.db.selectFrom("parked").select("body").orderBy("id").execute();
  return pages.map(({ body }) => body);
};

const posts = async (): Promise<number> => {
  const [row] = await engines.store.rows<{ n: string }>(fromDefinition("SELECT count() AS n FROM social_posts"));
  return Number(row?.n);
};

test("social forget erases posts and parked pages at once alongside a running service, and prints counts", async () => {
  await engines.store.insert(
    table("social_posts"),
    [0, 1, 2, 3].map((index) => socialPost(index)),
  );
  await park("bluesky-posts", `{"did":"did:plc:author0"}`);
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
});

test("social forget --post erases the post only from pages and notices of its own source", async () => {
  const { db } = engines.records;
  for (const name of ["parked", "notices"] as const) await db.deleteFrom(name).execute();
  const frame = `{"did":"did:plc:me","commit":{"collection":"app.bsky.feed.post","rkey":"3kdata"}}`;
  const others = [
    ["polymarket-events", `{"author":"data","rkey":"3kdata"}`],
    ["bluesky-posts", frame.replace("3kdata", "3kother")],
    ["hackernews-posts", `{"data":[{"author":"somebody"}]}`],
  ] as const;
  for (const [stream, body] of [["bluesky-posts", frame] as const, ...others]) await park(stream, body);
  const text = "h: a page could not be read: text: p";
  await db
    .insertInto("notices")
    .values(
      ["bluesky-posts", "polymarket-events"].map((stream) => ({
        stream,
        kind: "upstream_changed",
        text: `${text}; it holds words of theirs`,
        noticed_at: AT,
      })),
    )
    .execute();
  const one = await almanac("social", "forget", "--post", "at://did:plc:me/app.bsky.feed.post/3kdata");
  expect(one.out).toContain("1 parked pages");
  expect(await bodies()).toEqual(["", ...others.map(([, body]) => body)]);
  const notices = await db.selectFrom("notices").select("text").orderBy("id").execute();
  expect(notices.map((notice) => notice.text)).toEqual([text, `${text}; it holds words of theirs`]);
  const author = await almanac("social", "forget", "--author", "data", "--source", "hackernews");
  expect(author.out).toContain("0 parked pages");
  expect(await bodies()).toEqual(["", ...others.map(([, body]) => body)]);
});

test("social forget prints its usage, and exits with 2 on invalid arguments", async () => {
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
