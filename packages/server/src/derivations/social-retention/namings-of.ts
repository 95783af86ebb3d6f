const AT_URI = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/;

/**
 * Ways in which a payload of a source (JSON as received) names a post or an author: a text that contains all parts of
 * one of them does. Only whole values count: an id may be a word found in any text.
 */
export function namingsOf({
  what,
  id,
}: {
  readonly what: "post" | "author";
  readonly id: string;
}): readonly string[][] {
  const [, did, rkey] = (what === "post" ? AT_URI.exec(id) : undefined) ?? [];
  const whole = [...texts(id), ...(what === "post" ? numbers(id) : [])].map((form) => [form]);
  if (did === undefined || rkey === undefined) return whole;
  // A Jetstream event identifies a post by its parts.
  return [...whole, ...texts(did).flatMap((author) => texts(rkey).map((key) => [author, key]))];
}

const texts = (value: string): string[] => [`:${JSON.stringify(value)}`, `: ${JSON.stringify(value)}`];

/** Hacker News gives ids as numbers too, for the story that a comment is under, with its title. */
const numbers = (id: string): string[] => (/^\d+$/.test(id) ? [`:${id},`, `:${id}}`, `: ${id},`, `: ${id}}`] : []);
