/** A part of a text that is a hashtag or a link, by bytes of UTF-8. */
export interface Facet {
  index: { byteStart: number; byteEnd: number };
  features: ({ $type: string } & Record<string, string>)[];
}

const PARTS = /https:\/\/\S+|#[\p{L}\p{N}]+/gu;

/** Hashtags and links of a text as clients of Bluesky mark them. */
export function findFacets(text: string): Facet[] {
  return [...text.matchAll(PARTS)].map(({ 0: part, index }) => {
    const byteStart = Buffer.byteLength(text.slice(0, index));
    const feature = part.startsWith("#")
      ? { $type: "app.bsky.richtext.facet#tag", tag: part.slice(1) }
      : { $type: "app.bsky.richtext.facet#link", uri: part };
    return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] };
  });
}
