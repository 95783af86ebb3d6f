import type { TableDefinition } from "../../definition/table.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";

/** Where something of a post is kept, under which column its id stands, and whether the table is in days. */
export type Erasable = { readonly name: string; readonly post: "id" | "post_id"; readonly isByDay: boolean };

const ordersOf = ({ name, copies = {} }: TableDefinition): string[] => [...Object.keys(copies), name];

/** All that holds something of a post, the posts themselves last: as long as these have one, it is found again. */
export const ERASABLE: readonly Erasable[] = [
  ...ordersOf(socialMentions).map((name): Erasable => ({ name, post: "post_id", isByDay: false })),
  { name: socialReactions.name, post: "post_id", isByDay: false },
  { name: `${socialPosts.name}_versions`, post: "id", isByDay: false },
  { name: socialPosts.name, post: "id", isByDay: true },
];
