import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { numeric, one, type Query } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import { isMatch, type Operators } from "../query/search-query.ts";
import { type SocialWorld, SourcePosts } from "../source-posts.ts";
import { GdeltRefusal, notSimulated, parseQuery } from "./parse-query.ts";

/** GDELT scans its sources every 15 minutes. */
const STEP_MS = 900_000;
/** One title in this many contains a backslash. */
const ODD_TITLE = 37;

const LANGUAGES: Readonly<Record<string, string>> = {
  ar: "Arabic",
  de: "German",
  en: "English",
  es: "Spanish",
  fr: "French",
  ja: "Japanese",
  ko: "Korean",
  pt: "Portuguese",
};

/** When GDELT saw the article; it is not listed before. */
function seenMs({ created_ms }: Post): number {
  return Math.ceil(created_ms / STEP_MS) * STEP_MS;
}

function languageOf({ langs: [lang = "en"] }: Post): string {
  return LANGUAGES[lang] ?? "English";
}

function toArticle(post: Post) {
  return {
    url: `https://${post.handle}/${post.rkey}`,
    url_mobile: "",
    title: titleOf(post),
    seendate: stampOf(seenMs(post)),
    socialimage: "",
    domain: post.handle,
    language: languageOf(post),
    sourcecountry: "United States",
  };
}

/** `20260910T121500Z`, the timestamp format of GDELT's responses. */
function stampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Parses `20260910121500`; undefined if invalid. */
function readStamp(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** GDELT's titles have a space before punctuation. */
function titleOf({ text, number, handle }: Post): string {
  const title = text
    .replace(/\s*([,:;?!])(?=\s|$)/g, " $1")
    .replace(/\s+/g, " ")
    .trim();
  return number % ODD_TITLE === 0 ? `${title} \\| ${handle}` : title;
}

/** Three months; older articles cannot be requested. */
const REACH_MS = 92 * 86_400_000;

/** Both ends inclusive. */
interface Window {
  from_ms: number;
  to_ms: number;
}

/** Reads `startdatetime` and `enddatetime`; default the last three months. */
function readWindow(query: Query, now: number): Window {
  const reach = now - REACH_MS;
  const [start, end] = [one(query, "startdatetime"), one(query, "enddatetime")];
  const from_ms = start === undefined ? reach : readStamp(start);
  const to_ms = end === undefined ? now : readStamp(end);
  if (from_ms === undefined || from_ms < reach) throw new GdeltRefusal("Invalid query start date.");
  if (to_ms === undefined || to_ms < from_ms) throw new GdeltRefusal("Invalid query end date.");
  return { from_ms, to_ms: Math.min(to_ms, now) };
}

/** GDELT's message to clients that send requests too often. */
export const HASTE =
  "Please limit requests to one every 5 seconds or contact kalev.leetaru5@gmail.com for larger queries.";

const MAX_RECORDS = 250;
const USUAL_RECORDS = 75;

/** The only supported values of the article list's parameters. */
const FORM = { mode: "artlist", format: "json", sort: "datedesc" };

/** `sourcelang` is the only operator. */
const operators: Operators = (_name, value, post) => languageOf(post).toLowerCase().startsWith(value);

/**
 * Document search of GDELT 2.0: https://api.gdeltproject.org/api/v2/doc/doc. Articles stay listed even if their site
 * removes them.
 */
export function gdeltEndpoint(world: SocialWorld): FastifyPluginAsync {
  const posts = new SourcePosts(world, "gdelt");
  const answer = (query: Query): string => {
    for (const [name, value] of Object.entries(FORM))
      if (one(query, name)?.toLowerCase() !== value) throw notSimulated(`Another ${name} than ${value}`);
    const clause = parseQuery(one(query, "query") ?? "");
    const window = readWindow(query, world.reached());
    const found = posts
      .between(window.from_ms - STEP_MS, window.to_ms + 1)
      .filter((post) => seenMs(post) >= window.from_ms && seenMs(post) <= window.to_ms)
      .filter((post) => isMatch(clause, post, operators));
    const most = numeric(query, "maxrecords") ?? USUAL_RECORDS;
    if (!(most >= 1 && most <= MAX_RECORDS)) throw new GdeltRefusal("Invalid maximum number of records.");
    return written(found.toReversed().slice(0, most));
  };
  return async (app) => {
    app.get<{ Querystring: Query }>("/api/v2/doc/doc", async ({ query }, reply) => {
      try {
        return await reply.type("application/json; charset=utf-8").send(answer(query));
      } catch (error) {
        if (error instanceof GdeltRefusal) return say(reply, error.status, error.message);
        throw error;
      }
    });
  };
}

/** Sends the 429, or the same message with 200: both occur on the real API. */
export function refuseHaste(reply: FastifyReply, status: 200 | 429): FastifyReply {
  return say(reply, status, HASTE);
}

function say(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(text);
}

/**
 * GDELT does not escape backslashes in titles, so some responses are invalid JSON. (One before a quote stays escaped,
 * or it would end the string.)
 */
function written(found: readonly Post[]): string {
  if (found.length === 0) return "{}";
  return JSON.stringify({ articles: found.map((post) => toArticle(post)) }).replaceAll(/\\\\(?!["\\])/g, "\\");
}
