import type { Post } from "../../world/social-contract.ts";

const WORD = /[\p{L}\p{N}_]+/gu;
const known = new WeakMap<Post, string>();

/** The words of a text in lower case, a space before and after each: a phrase is in it when its words are a part of it. */
export function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(WORD) ?? []).join(" ")} `;
}

/** The same of a post's text, kept with the post. */
export function postWords(post: Post): string {
  const words = known.get(post) ?? wordsOf(post.text);
  known.set(post, words);
  return words;
}
