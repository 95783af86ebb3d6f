import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveJetstream } from "../../../../exchange/src/social/jetstream/jetstream-socket.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { gatherBluesky, reachedBy, readSocial } from "./gather-bluesky.ts";

/** A hostile text as it is stored: without NUL, byte order marks and bidirectional controls, and truncated. */
const asStored = (text: string): string => text.replaceAll("\0", "").replaceAll(UNSTORED, "").slice(0, 10_000);
const UNSTORED = /[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const KILLS = 2;

const uriOf = ({ did, rkey }: { did: string; rkey: string }, kind = "post"): string =>
  `at://${did}/app.bsky.feed.${kind}/${rkey}`;

/** Expected rows of everything since a timestamp; of posts without a language only those in `stored`. */
function truthOf(world: World, sinceMs: number, stored: ReadonlySet<string>) {
  const [posts, reactions, removals] = [new Map<string, string>(), new Set<string>(), new Set<string>()];
  const leftOut: string[] = [];
  for (const reported of world.talk) {
    if (reported.us < sinceMs * 1000) continue;
    if (reported.kind === "post" && reported.post.source === "bluesky") {
      const { langs, parent, link, text } = reported.post;
      const id = uriOf(reported.post);
      if (parent !== null && posts.has(uriOf(parent))) reactions.add(`${link} ${id} ${uriOf(parent)}`);
      if (langs.includes("en") || (langs.length === 0 && stored.has(id))) posts.set(id, asStored(text));
      else if (langs.length === 0) leftOut.push(text);
    } else if (reported.kind === "reaction" && posts.has(uriOf(reported.reaction.post))) {
      reactions.add(
        `${reported.reaction.type} ${uriOf(reported.reaction, reported.reaction.type)} ${uriOf(reported.reaction.post)}`,
      );
    } else if (reported.kind === "removal") {
      const { removed } = reported;
      if ("post" in removed && removed.post.source === "bluesky") removals.add(`record ${uriOf(removed.post)}`);
      if ("reaction" in removed && posts.has(uriOf(removed.reaction.post)))
        removals.add(`record ${uriOf(removed.reaction, removed.reaction.type)}`);
    } else if (reported.kind === "account" && !reported.active) removals.add(`author ${reported.did}`);
  }
  return { posts, reactions, removals, leftOut };
}

test("stores each row of the world exactly once after kill -9", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-bluesky-"));
  let now = NOON;
  const sizes = { days: 0.05, events: 40, wallets: 60, kalshi_markets: 5, activity: 0.1, talk: 4 };
  const world = createWorld({ seed: 7, ...sizes, clock: () => now });
  const venue = await serveJetstream({ world, strangers_every_ms: 100 });
  const pass = (ms: number): void => {
    now += ms;
    world.advanceTo(now);
  };
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const script = join(import.meta.dirname, "bluesky-child.ts");
      const child = spawn(process.execPath, [script, folder, venue.jetstream_url, String(now)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await once(child.stdout, "data");
      for (let step = 0; step < 20; step += 1) {
        pass(HOUR / 60);
        await new Promise((resolve) => setTimeout(resolve, 100 + 40 * kill));
      }
      child.kill("SIGKILL");
      await ended;
    }
    pass(HOUR / 6);
    const engines = await openEngines(folder);
    const ingest = gatherBluesky(engines, venue.jetstream_url, { venueNow: () => now });
    await expect.poll(() => reachedBy(ingest)).toBeGreaterThanOrEqual(now);
    const { since, gaps, errors } = (await ingest.status()).streams[0] ?? {};
    await ingest.stop();
    const { posts, reactions, removals } = await readSocial(engines);
    const truth = truthOf(world, Date.parse(since ?? ""), new Set(posts.map(({ id }) => id)));
    // Market names are English in every language that the world's people write.
    expect(
      truth.leftOut.filter((text) => /\b(?:the|will|who|which|this|my)\b/iu.test(text.replaceAll(/https:\S+/gu, ""))),
    ).toEqual([]);
    expect(new Map(posts.map(({ id, body }) => [id, body]))).toEqual(truth.posts);
    expect(posts).toHaveLength(truth.posts.size);
    expect(reactions.map(({ kind, id, post_id: of }) => `${kind} ${id} ${of}`).toSorted()).toEqual(
      [...truth.reactions].toSorted(),
    );
    expect(removals.map(({ what, id }) => `${what} ${id}`).toSorted()).toEqual([...truth.removals].toSorted());
    expect(truth.posts.size).toBeGreaterThan(100);
    expect(truth.reactions.size).toBeGreaterThan(100);
    expect({ errors, gaps: gaps?.unfillable }).toEqual({ errors: 0, gaps: 0 });
    await engines.close();
  } finally {
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 400_000);
