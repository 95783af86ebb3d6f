import { connectors } from "../../packages/server/src/catalogue.ts";

/** Streams of posts, turned off in scenes that do not compare posts. */
export const SOCIAL_STREAMS: readonly string[] = connectors
  .filter(({ tables }) => tables.some(({ name }) => name.startsWith("social_")))
  .map(({ name }) => name);
