import { isObject } from "../query/as-documented.ts";

type Body = Readonly<Record<string, unknown>>;

/** Path of the endpoint's older form, whose body has limit and offset at the top level. */
export const RETRIEVAL_ALIAS = "/api/v1/retrieval/parameterized";

/** Converts such a body to the endpoint's form; values in `pagination` take precedence. */
export function withPagination({ limit, offset, ...body }: Body): Body {
  const atTop = { ...(limit == null ? {} : { limit }), ...(offset == null ? {} : { offset }) };
  const pagination = body["pagination"] ?? {};
  return { ...body, pagination: isObject(pagination) ? { ...atTop, ...pagination } : pagination };
}
