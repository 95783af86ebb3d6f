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

/** Scripts cannot read it, requests from other sites do not carry it, and over https it is never sent unencrypted. */
export function setSessionCookie(reply: FastifyReply, token: string, publicUrl: string, maxMs: number): void {
  reply.setCookie(NAME, token, { ...flags(publicUrl), maxAge: Math.floor(maxMs / 1000) });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(NAME, flags(publicUrl));
}
