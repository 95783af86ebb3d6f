/** Events as Jetstream version 1 sends them. Timestamps are Unix ms. */
export type Event = Readonly<Record<string, unknown>> & { readonly time_us: number };

export const uriOf = (did: string, rkey: string, kind: "post" | "like" | "repost" = "post"): string =>
  `at://${did}/app.bsky.feed.${kind}/${rkey}`;

type Commit = { readonly ms: number; readonly did: string; readonly rkey: string };

function commit(kind: string, { ms, did, rkey }: Commit, operation: string, record?: unknown): Event {
  const collection = `app.bsky.feed.${kind}`;
  return {
    did,
    time_us: ms * 1000 + 123,
    kind: "commit",
    commit: {
      rev: "3lr2xk4mzls2t",
      operation,
      collection,
      rkey,
      ...(record === undefined ? {} : { record: { $type: collection, ...record }, cid: "bafyreib2" }),
    },
  };
}

const ref = (uri: string) => ({ cid: "bafyreia1", uri });

type PostParts = Commit & {
  readonly text: string;
  readonly langs?: readonly string[];
  readonly createdAt?: string;
  readonly answers?: string;
  readonly quotes?: string;
  readonly operation?: "create" | "update";
};

export function postEvent({ text, langs, createdAt, answers, quotes, operation = "create", ...at }: PostParts): Event {
  return commit("post", at, operation, {
    text,
    createdAt: createdAt ?? new Date(at.ms - 800).toISOString(),
    ...(langs === undefined ? {} : { langs }),
    ...(answers === undefined ? {} : { reply: { parent: ref(answers), root: ref(answers) } }),
    ...(quotes === undefined ? {} : { embed: { $type: "app.bsky.embed.record", record: ref(quotes) } }),
    facets: [{ features: [{ $type: "app.bsky.richtext.facet#mention", did: "did:plc:someoneelse" }] }],
  });
}

export const reactionEvent = (kind: "like" | "repost", { subject, ...at }: Commit & { subject: string }): Event =>
  commit(kind, at, "create", {
    createdAt: new Date(at.ms).toISOString(),
    subject: { cid: "bafyreia1", uri: subject },
  });

export const deleteEvent = (kind: "post" | "like" | "repost", at: Commit): Event => commit(kind, at, "delete");

export const identityEvent = (ms: number, did: string, handle: string): Event => ({
  did,
  time_us: ms * 1000,
  kind: "identity",
  identity: { did, handle, seq: 1, time: new Date(ms).toISOString() },
});

export const accountEvent = (ms: number, did: string, active: boolean, status?: string): Event => ({
  did,
  time_us: ms * 1000,
  kind: "account",
  account: { active, did, seq: 2, time: new Date(ms).toISOString(), ...(status === undefined ? {} : { status }) },
});
