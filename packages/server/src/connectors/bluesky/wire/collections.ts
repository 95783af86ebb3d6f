export const POST = "app.bsky.feed.post";
export const LIKE = "app.bsky.feed.like";
export const REPOST = "app.bsky.feed.repost";

/** Collections requested from the stream; account and identity events are always included. */
export const COLLECTIONS = [POST, LIKE, REPOST] as const;
