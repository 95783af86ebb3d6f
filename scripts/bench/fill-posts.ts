import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import type { Store } from "../../packages/server/src/store/store.ts";

const BATCH = 50_000;
const DAYS = 3;
const STEP_MS = (posts: number): number => Math.floor((DAYS * 86_400_000) / posts);

const DID = "concat('did:plc:', lower(hex(sipHash64(number % 200000))))";
const ID = `concat('at://', ${DID}, '/app.bsky.feed.post/3k', toString(number))`;
const WORDS =
  "arrayStringConcat(arrayMap(i -> concat('w', toString(toUInt32(exp(log(60000) * randCanonical(i))))), range(toUInt64(8 + number % 25))), ' ')";
const SAID =
  "multiIf(number % 400 = 7, ' hockey', number % 500 = 11, ' #NHL', number % 2000 = 13, ' Stanley Cup!', '')";

/** Posts of the last three days, evenly; one in twenty is about one of 500 markets and has six likes. */
export async function fillPosts(store: Pick<Store, "run">, posts: number): Promise<void> {
  const begin = Date.now() - DAYS * 86_400_000;
  const ts = `fromUnixTimestamp64Milli(toInt64(${begin} + number * ${STEP_MS(posts)}), 'UTC')`;
  for (let first = 0; first < posts; first += BATCH) {
    const numbers = `numbers(${first}, ${Math.min(BATCH, posts - first)})`;
    await store.run(
      fromDefinition(
        `INSERT INTO social_posts (source, id, ts, created_on, author, username, url, body, lang, sentiment, stance, version, content) SELECT 'bluesky', ${ID}, ${ts}, ${ts}, ${DID}, ${DID}, '', concat(${WORDS}, ${SAID}), 'en', toDecimal64(0.1, 6), 'none', number, number FROM ${numbers}`,
      ),
    );
    for (const table of ["social_mentions", "social_mentions_by_post"]) {
      await store.run(
        fromDefinition(
          `INSERT INTO ${table} (condition_id, ts, source, post_id, author, event_slug, term, is_gone, version, content) SELECT toFixedString(unhex(leftPad(hex(toUInt16(1 + (number / 20) % 500)), 64, '0')), 32), ${ts}, 'bluesky', ${ID}, ${DID}, 'event', 'term', false, number, number FROM ${numbers} WHERE number % 20 = 0`,
        ),
      );
    }
    await store.run(
      fromDefinition(
        `INSERT INTO social_reactions (source, post_id, kind, ts, id) SELECT 'bluesky', ${ID}, 'like', ${ts} + toIntervalMinute(n), concat('at://did:plc:fan/like/', toString(number), '-', toString(n)) FROM ${numbers} ARRAY JOIN range(6) AS n WHERE number % 20 = 0`,
      ),
    );
  }
  await store.run(fromDefinition("INSERT INTO social_erasures (through, erased) VALUES (now64(6), 0)"));
}
