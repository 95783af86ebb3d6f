import type { SocialHappening } from "../world/social-happenings.ts";

/** Ground-truth row of a social happening: refers to other posts by number, with current counts and deletion state. */
export function toTalkRow(happening: SocialHappening): object {
  if (happening.kind === "post") {
    const { seq, ms, us } = happening;
    const { parent, root, ...post } = happening.post;
    return { seq, ms, us, ...post, parent: parent?.number ?? null, root: root?.number ?? null };
  }
  if (happening.kind === "reaction") {
    const { reaction, ...when } = happening;
    const { post, source, type, did, rkey } = reaction;
    return { ...when, source, type, post: post.number, did, rkey };
  }
  if (happening.kind !== "removal") return happening;
  const { removed, ...when } = happening;
  const [what, record] = "post" in removed ? ["post", removed.post] : [removed.reaction.type, removed.reaction];
  const post = "post" in removed ? removed.post.number : removed.reaction.post.number;
  return { ...when, what, source: record.source, post, did: record.did, rkey: record.rkey };
}
