import type { Post } from "../../world/social-contract.ts";
import { postWords } from "./words.ts";

/** A condition on a text. `words` have the form returned by `wordsOf`. */
export type Clause =
  | { kind: "all" | "any"; of: readonly Clause[] }
  | { kind: "not"; of: Clause }
  | { kind: "words"; words: string }
  | { kind: "operator"; name: string; value: string };

/** Evaluates a source-specific operator on a post. */
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
