import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a session's cookie: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isSessionToken(text: string): boolean {
  return FORM.test(text);
}

/** What is stored of it. */
export function sessionDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The token that a page must send with every change: it follows from the cookie, which another origin's page cannot read. */
export function csrfTokenOf(token: string): string {
  return createHash("sha256").update(`almanac csrf ${token}`).digest("base64url");
}

export function isCsrfTokenOf(token: string, sent: string): boolean {
  const right = Buffer.from(csrfTokenOf(token));
  const given = Buffer.from(sent);
  return given.length === right.length && timingSafeEqual(given, right);
}
