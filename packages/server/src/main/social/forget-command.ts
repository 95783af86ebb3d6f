import { sql } from "kysely";
import { connectors } from "../../catalogue.ts";
import { command, group, CommandError } from "../../cli/command.ts";
import { SOCIAL_SOURCES, type SocialSource } from "../../definition/vocabulary.ts";
import { forget, type ToForget, namingsOf } from "../../derivations/social-retention/forget.ts";
import { commandConfig, commandEngines } from "../command-engines.ts";
import type { Engines } from "../open-engines.ts";
import type { AnyCommand } from "../../cli/run-command-line.ts";

const MAX_ID = 2000;

const forgetCommand = command({
  name: "forget",
  description:
    "Delete a post, or all of an author, on request: erased at once, and hidden for ever whatever comes later; beside a running service or without one",
  args: {
    author: { type: "string", description: "Id of an author at the source (a DID, a name, a user id): all of theirs" },
    post: { type: "string", description: "Id of one post at the source, e.g. at://did:plc:…/app.bsky.feed.post/…" },
    source: { type: "string", description: `Only at this source: ${SOCIAL_SOURCES.join(", ")}; all without it` },
  },
  run: async (args, print) => {
    const requested = readRequested(args);
    const streams = streamsOf(requested.sources);
    const engines = await commandEngines(commandConfig());
    try {
      const erased = await forget(engines.store, requested, { streams, nowMs: Date.now() });
      const pages = await forgetPages(engines, requested, streams);
      const value = { ...requested, erased: { ...toWire(erased), parked_pages: pages } };
      const { posts, reactions, rawPayloads } = erased;
      const text = `${requested.what} ${requested.id} is permanently hidden; erased: ${posts} posts, ${reactions} reactions, ${rawPayloads} raw payloads, ${pages} parked pages`;
      print({ value, text });
    } finally {
      await engines.close();
    }
  },
});

const toWire = ({ posts, reactions, rawPayloads }: Awaited<ReturnType<typeof forget>>) => ({
  posts,
  reactions,
  raw_payloads: rawPayloads,
});

function readRequested(given: Readonly<Record<string, unknown>>): ToForget {
  const { author, post, source } = given;
  if ((author === undefined) === (post === undefined)) throw new CommandError(2, "expected one of --author and --post");
  const id = String(author ?? post).trim();
  if (id === "" || id.length > MAX_ID) throw new CommandError(2, `expected an id of 1 to ${MAX_ID} characters`);
  return { what: post === undefined ? "author" : "post", id, sources: readSources(source) };
}

function readSources(source: unknown): readonly SocialSource[] {
  if (source === undefined) return SOCIAL_SOURCES;
  const found = SOCIAL_SOURCES.find((one) => one === source);
  if (found === undefined)
    throw new CommandError(2, `--source is ${String(source)}: expected one of ${SOCIAL_SOURCES.join(", ")}`);
  return [found];
}

const streamsOf = (sources: readonly SocialSource[]): string[] =>
  connectors.filter(({ venue }) => sources.some((source) => source === venue)).map(({ name }) => name);

const isInBody = (part: string) => sql`position(${part} in body) > 0`;

/**
 * Removes bodies of parked pages that name it, and excerpts in their notices; what a page was and why it was parked is
 * kept.
 */
function forgetPages({ records }: Engines, requested: ToForget, streams: readonly string[]): Promise<number> {
  const named = namingsOf(requested).map((parts) => sql`(${sql.join(parts.map(isInBody), sql` and `)})`);
  return records.db.transaction().execute(async (work) => {
    const gone = await work
      .updateTable("parked")
      .set({ body: "", sample: "", dropped_at: new Date() })
      .where("stream", "in", streams)
      .where(sql<boolean>`(${sql.join(named, sql` or `)})`)
      .returning(["stream", "parked_at"])
      .execute();
    for (const { stream, parked_at: at } of gone) {
      await work
        .updateTable("notices")
        .set({ text: sql<string>`split_part(text, '; it holds ', 1)` })
        .where("stream", "=", stream)
        .where("kind", "=", "upstream_changed")
        .where("noticed_at", "=", at)
        .execute();
    }
    return gone.length;
  });
}

/** Operator commands for posts. */
export const socialCommand: AnyCommand = group("social", "Posts of social sources", { forget: forgetCommand });
