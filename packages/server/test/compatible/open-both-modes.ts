import { datasets } from "../../src/catalogue.ts";
import type { KeyMode } from "../../src/definition/vocabulary.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { openSampledQuery } from "../fixtures/open-sampled-query.ts";
import { apiOptions, openApi, OTHER_TOKEN, TOKEN } from "../http/api.ts";

export type Body = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;
/** How a body is sent, if not as documented. */
export type How = { readonly path?: string; readonly accept?: string };

/** Opens a server over sample rows, with a key of each mode, to test complete requests. */
export async function openBothModes() {
  const { store, query } = await openSampledQuery();
  const { access } = apiOptions(query.ask);
  const verify: typeof access.verify = async (token) => {
    const caller = await access.verify(token);
    return caller && token === OTHER_TOKEN ? { ...caller, mode: "compatible" } : caller;
  };
  const api = await openApi(query.ask, { catalogue: datasets, access: { ...access, verify } });
  return {
    query,
    ask: async (mode: KeyMode, body: Body, { path = ENDPOINT, accept = "application/json" }: How = {}) => {
      const token = mode === "strict" ? TOKEN : OTHER_TOKEN;
      const reply = await fetch(api.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
        body: JSON.stringify(body),
      });
      const reported = (await reply.json()) as Record<string, unknown>;
      const { results: rows = [] } = (reported["data"] ?? {}) as { results?: Row[] };
      const { code } = (reported["error"] ?? {}) as { code?: string };
      const warnings = (reported["warnings"] ?? []) as string[];
      return { status: reply.status, type: reply.headers.get("content-type"), reported, rows, code, warnings };
    },
    close: async () => {
      await api.close();
      await store.close();
    },
  };
}
