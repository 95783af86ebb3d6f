import { isObject } from "../query/as-documented.ts";

type Body = Readonly<Record<string, unknown>>;

/** The endpoint by the path and body of an older form of this wire, in which limit and offset stand at the top. */
export const RETRIEVAL_ALIAS = "/api/v1/retrieval/parameterized";

/** A body of that form in the form of the endpoint; what `pagination` says itself goes first. */
export function withPagination({ limit, offset, ...body }: Body): Body {
  const atTop = { ...(limit == null ? {} : { limit }), ...(offset == null ? {} : { offset }) };
  const pagination = body["pagination"] ?? {};
  return { ...body, pagination: isObject(pagination) ? { ...atTop, ...pagination } : pagination };
}
