import { one, type Query } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import { postWords, wordsOf } from "../query/words.ts";
import { createdAt, tagsOf } from "./to-hit.ts";

type Keep = (post: Post) => boolean;

const CONDITION = /^\s*(created_at_i|points|num_comments)\s*(<=|>=|!=|<|>|=)\s*(-?\d+)\s*$/;

/** Words, tags and numbers of a question to the index. A string is what is wrong with them. */
export function hitsFilter(query: Query): Keep | string {
  const numbers = readConditions(one(query, "numericFilters") ?? "");
  if (typeof numbers === "string") return numbers;
  const tags = readTags(one(query, "tags") ?? "");
  if (typeof tags === "string") return tags;
  const words = wordsAsked(one(query, "query") ?? "");
  return (post) => numbers(post) && tags(post) && words(post);
}

/** Every word is to be there, the last one at least as a beginning; "quoted" ones as they follow each other. */
function wordsAsked(text: string): Keep {
  const phrases = [...text.matchAll(/"([^"]*)"/g)].map(([, phrase]) => wordsOf(phrase ?? ""));
  const bare = wordsOf(text.replace(/"[^"]*"?/g, " "))
    .split(" ")
    .filter((word) => word !== "");
  const parts = [...phrases, ...bare.map((word, place) => (place === bare.length - 1 ? ` ${word}` : ` ${word} `))];
  return (post) => {
    const searched = postWords(post) + wordsOf(post.handle);
    return parts.every((part) => searched.includes(part));
  };
}

/** Commas join, commas in parentheses give a choice. */
function readTags(text: string): Keep | string {
  if (text === "") return () => true;
  if (!/^(\([^()]+\)|[^(),]+)(,(\([^()]+\)|[^(),]+))*$/.test(text)) return "invalid tags";
  const groups = (text.match(/\([^()]+\)|[^(),]+/g) ?? []).map((group) => group.replace(/[()]/g, "").split(","));
  return (post) => {
    const tags = tagsOf(post);
    return groups.every((group) => group.some((tag) => tags.includes(tag.trim())));
  };
}

function readConditions(text: string): Keep | string {
  const conditions: Keep[] = [];
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, field = "", sign = "", value] = CONDITION.exec(part) ?? [];
    if (value === undefined) return `invalid numeric filter: ${part.trim()}`;
    conditions.push((post) => holds(numberOf(post, field), sign, Number(value)));
  }
  return (post) => conditions.every((condition) => condition(post));
}

function numberOf(post: Post, field: string): number | null {
  if (field === "created_at_i") return createdAt(post);
  if (post.parent !== null) return null;
  return field === "points" ? post.likes : post.replies;
}

function holds(number: number | null, sign: string, value: number): boolean {
  if (number === null) return false;
  if (sign === "<") return number < value;
  if (sign === "<=") return number <= value;
  if (sign === ">") return number > value;
  if (sign === ">=") return number >= value;
  return (number === value) === (sign === "=");
}
