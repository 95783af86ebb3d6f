import type { Post } from "../../world/social-contract.ts";

const WORD = /[\p{L}\p{N}_]+/gu;
const known = new WeakMap<Post, string>();

/**
 * The words of a text in lower case with a space before and after each, so that substring search finds whole words and
 * phrases.
 */
export function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(WORD) ?? []).join(" ")} `;
}

/** The same for a post's text, cached per post. */
export function postWords(post: Post): string {
  const words = known.get(post) ?? wordsOf(post.text);
  known.set(post, words);
  return words;
}
