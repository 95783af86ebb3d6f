import type { FastifyReply, FastifyRequest } from "fastify";

const NAME = "almanac_session";

export function sessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[NAME];
}

const flags = (publicUrl: string): { httpOnly: true; sameSite: "strict"; path: "/"; secure: boolean } => ({
  httpOnly: true,
  sameSite: "strict",
  path: "/",
  secure: publicUrl.startsWith("https:"),
});

/** No script reads it, no other site's request carries it, and over https it never travels in the open. */
export function setSessionCookie(reply: FastifyReply, token: string, publicUrl: string, maxMs: number): void {
  reply.setCookie(NAME, token, { ...flags(publicUrl), maxAge: Math.floor(maxMs / 1000) });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(NAME, flags(publicUrl));
}
