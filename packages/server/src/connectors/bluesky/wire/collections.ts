export const POST = "app.bsky.feed.post";
export const LIKE = "app.bsky.feed.like";
export const REPOST = "app.bsky.feed.repost";

/** What the stream is asked for; events of accounts and names come with every choice. */
export const COLLECTIONS = [POST, LIKE, REPOST] as const;
