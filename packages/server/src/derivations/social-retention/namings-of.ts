const AT_URI = /^at:\/\/([^/]+)\/[^/]+\/([^/]+)$/;

/**
 * The ways by which what a source sent (JSON as it came) names a post or an author: a text that has all parts of one of
 * them does. Only whole values count: an id may be a word that is in any text.
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
  // An event of Jetstream tells a post by its parts.
  return [...whole, ...texts(did).flatMap((author) => texts(rkey).map((key) => [author, key]))];
}

const texts = (value: string): string[] => [`:${JSON.stringify(value)}`, `: ${JSON.stringify(value)}`];

/** Hacker News tells ids as numbers too: of the story that a comment is under, with its title. */
const numbers = (id: string): string[] => (/^\d+$/.test(id) ? [`:${id},`, `:${id}}`, `: ${id},`, `: ${id}}`] : []);
