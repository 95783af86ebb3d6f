import type { World } from "../world/world.ts";

/** What the doors of the world's posts need of it. */
export type SocialWorld = Pick<World, "posts" | "reached">;
