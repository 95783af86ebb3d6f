import type { World } from "../world/world.ts";

/** The part of the world that the social endpoints read. */
export type SocialWorld = Pick<World, "posts" | "reached">;
