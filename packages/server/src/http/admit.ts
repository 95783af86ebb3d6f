import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import { CallerError } from "../definition/errors.ts";
import type { Charging } from "./charging.ts";

const BEARER = /^bearer[ \t]+([A-Za-z0-9._~+/-]{1,512}=*)[ \t]*$/i;

/** Extracts the token of an Authorization header; undefined if there is none or it is not a bearer token. */
function bearerToken(header: string | undefined): string | undefined {
  return header === undefined || header.length > 600 ? undefined : BEARER.exec(header)?.[1];
}

const NO_TOKEN = "The request carries no valid API key; send Authorization: Bearer <API key>.";

/** Authenticates the caller and checks its rate before the body is read. Throws UNAUTHENTICATED and RATE_LIMITED. */
export function createAdmit(
  { verify }: Pick<Access, "verify">,
  charging: Charging,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === undefined ? undefined : await verify(token);
    if (caller === undefined) throw new CallerError("UNAUTHENTICATED", NO_TOKEN);
    request.visit.caller = caller;
    await charging.admit(caller, request, reply);
  };
}
