import { connectors } from "../../packages/server/src/catalogue.ts";

/** Streams of posts, for scenes in which nobody compares any. */
export const SOCIAL_STREAMS: readonly string[] = connectors
  .filter(({ tables }) => tables.some(({ name }) => name.startsWith("social_")))
  .map(({ name }) => name);
