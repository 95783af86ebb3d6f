import type { Post } from "../../world/social-contract.ts";
import { postWords } from "./words.ts";

/** A question to a text. `words` are as `wordsOf` gives them. */
export type Clause =
  | { kind: "all" | "any"; of: readonly Clause[] }
  | { kind: "not"; of: Clause }
  | { kind: "words"; words: string }
  | { kind: "operator"; name: string; value: string };

/** What an operator of a door says of a post. */
export type Operators = (name: string, value: string, post: Post) => boolean;

export function isMatch(clause: Clause, post: Post, operators: Operators): boolean {
  switch (clause.kind) {
    case "all":
      return clause.of.every((each) => isMatch(each, post, operators));
    case "any":
      return clause.of.some((each) => isMatch(each, post, operators));
    case "not":
      return !isMatch(clause.of, post, operators);
    case "words":
      return postWords(post).includes(clause.words);
    case "operator":
      return operators(clause.name, clause.value, post);
  }
}
