import { definePull } from "../../definition/connector.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { jetstreamHost } from "./hosts/jetstream-host.ts";
import { pullJetstream } from "./pull-jetstream.ts";
import { replayEvent } from "./replay-event.ts";

/** Every post in English or an unknown language, what is done to those, and what is taken back. */
export const blueskyPosts = definePull({
  name: "bluesky-posts",
  title: "Bluesky posts",
  venue: "bluesky",
  host: jetstreamHost,
  tables: [socialPosts, socialReactions, socialRemovals],
  everySeconds: 5,
  // The server keeps a day or so, and each walk goes on from the last event stored.
  canBackfill: false,
  pull: pullJetstream,
  replay: replayEvent,
});
