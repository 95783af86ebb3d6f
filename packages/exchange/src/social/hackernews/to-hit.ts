import type { Post } from "../../world/social-contract.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  "/": "&#x2F;",
};
const LINK = /https?:\/\/[^\s<>"']+/g;
/** Maximum length of a link's text; its href is not cut. */
const MAX_SHOWN = 60;

/** A text as Hacker News stores it: entities, a <p> before every paragraph but the first, links. */
function toHtml(text: string): string {
  return text
    .split(/\n+/)
    .map((paragraph) => toLine(paragraph))
    .join("<p>");
}

function toLine(paragraph: string): string {
  let html = "";
  let end = 0;
  for (const found of paragraph.matchAll(LINK)) {
    html += escape(paragraph.slice(end, found.index)) + toLink(found[0]);
    end = found.index + found[0].length;
  }
  return html + escape(paragraph.slice(end));
}

function toLink(url: string): string {
  const shown = url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}...` : url;
  return `<a href="${escape(url)}" rel="nofollow">${escape(shown)}</a>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"'/]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** A story or a comment as the index stores it. Comments never show points. */
export function toHit(post: Post) {
  return post.parent === null ? toStory(post) : toComment(post, post.parent);
}

function tagsOf(post: Post): string[] {
  const kind = post.parent === null ? "story" : "comment";
  return [kind, `author_${post.handle}`, `story_${rootOf(post).rkey}`];
}

/** Creation time in seconds. */
function createdAt({ created_ms }: Post): number {
  return Math.floor(created_ms / 1000);
}

function toStory(post: Post) {
  const { title, body } = partsOf(post);
  return {
    ...common(post),
    title,
    // A story has either a link or a text.
    ...(body === "" ? { url: urlOf(post) } : { story_text: toHtml(body) }),
    points: post.likes,
    num_comments: post.replies,
    story_id: Number(post.rkey),
    _highlightResult: { title: plain(title), author: plain(post.handle) },
  };
}

function toComment(post: Post, parent: Post) {
  const story = rootOf(post);
  const { title, body } = partsOf(story);
  const comment_text = toHtml(post.text);
  return {
    ...common(post),
    comment_text,
    points: null,
    parent_id: Number(parent.rkey),
    story_id: Number(story.rkey),
    story_title: title,
    ...(body === "" && { story_url: urlOf(story) }),
    _highlightResult: { comment_text: plain(comment_text), author: plain(post.handle), story_title: plain(title) },
  };
}

function common(post: Post) {
  const created_at = `${new Date(createdAt(post) * 1000).toISOString().slice(0, 19)}Z`;
  return {
    objectID: post.rkey,
    author: post.handle,
    created_at,
    created_at_i: createdAt(post),
    updated_at: created_at,
    _tags: tagsOf(post),
  };
}

/** Splits a text: the first line is the title, the rest the body. */
function partsOf({ text }: Post): { title: string; body: string } {
  const [title = "", ...rest] = text.split("\n");
  return { title, body: rest.join("\n").trim() };
}

function urlOf(post: Post): string {
  return `https://${post.handle}.example/posts/${post.rkey}`;
}

function rootOf(post: Post): Post {
  let root = post;
  while (root.parent !== null) root = root.parent;
  return root;
}

function plain(value: string) {
  return { value, matchLevel: "none", matchedWords: [] };
}
