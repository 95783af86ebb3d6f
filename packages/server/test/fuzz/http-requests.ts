import { METHODS } from "node:http";
import type { FuzzMatter, FuzzRequest } from "./fuzz-request.ts";
import type { Random } from "./random.ts";

function right(matter: FuzzMatter, random: Random): FuzzRequest {
  const dataset = random.pick(matter.datasets);
  const params = Object.fromEntries(
    dataset.params.filter((param) => param.required).map((param) => [param.name, param.sample]),
  );
  return {
    kind: "right",
    method: "POST",
    path: matter.path,
    headers: { authorization: `Bearer ${matter.key}`, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: dataset.agentId, params, pagination: { limit: 1 } }),
  };
}

export function wrongToken(matter: FuzzMatter, random: Random): FuzzRequest {
  const { key } = matter;
  const at = 9 + random.below(key.length - 9);
  const other = key[at] === "a" ? "b" : "a";
  const authorization = random.pick([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Basic ${Buffer.from(`user:${key}`).toString("base64")}`,
    key,
    `Token ${key}`,
    `Bearer ${key} x`,
    `Bearer ${key.slice(0, at)}${other}${key.slice(at + 1)}`,
    `Bearer ${key.slice(0, at)}`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer "${key}"`,
    `Bearer ${key}${key}`,
    `Bearer ${random.text(1 + random.below(600))}`,
    `Bearer ${"a".repeat(8000)}`,
    "Bearer ' OR 1=1 --",
    "Bearer null",
    "Bearer undefined",
    "Bearer ../../etc/passwd",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.",
    `Digest username="${key}"`,
  ]);
  const { authorization: _right, ...headers } = right(matter, random).headers;
  return {
    ...right(matter, random),
    kind: "wrong token",
    headers: authorization === undefined ? headers : { ...headers, authorization },
    right: [401],
  };
}

export function headerTrick(matter: FuzzMatter, random: Random): FuzzRequest {
  const request = right(matter, random);
  const junk = random.pick([
    "*",
    "*/*;q=2",
    "q",
    ";;;",
    ",,,",
    "a".repeat(4000),
    "\u00e9",
    "' OR 1=1 --",
    "../../etc/passwd",
    "{{7*7}}",
    "%00",
    "gzip;q=0.0000001",
    "0",
    "-1",
    "text/csv;q=0.5, */*",
  ]);
  const name = random.pick([
    "accept",
    "accept-encoding",
    "accept-charset",
    "accept-language",
    "if-none-match",
    "if-match",
    "if-modified-since",
    "range",
    "x-request-id",
    "origin",
    "referer",
    "cookie",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-http-method-override",
    "x-original-url",
    "forwarded",
    "via",
    "te",
    "user-agent",
    "accept-version",
    "content-language",
    "cache-control",
  ]);
  return { ...request, kind: `header ${name}`, headers: { ...request.headers, [name]: junk } };
}

export function typeTrick(matter: FuzzMatter, random: Random): FuzzRequest {
  const request = right(matter, random);
  const change = random.pick<Record<string, string>>([
    { "content-type": "text/plain" },
    { "content-type": "application/xml" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "multipart/form-data; boundary=a" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": "application/jsonx" },
    { "content-type": "application/json\\" },
    { "content-type": ";" },
    { "content-type": "a".repeat(4000) },
    { "content-encoding": "gzip" },
    { "content-encoding": "br" },
    { "content-encoding": "identity, gzip" },
    { "content-encoding": "zip-bomb" },
  ]);
  return { ...request, kind: "type trick", headers: { ...request.headers, ...change }, right: [415] };
}

export function methodTrick(matter: FuzzMatter, random: Random): FuzzRequest {
  const method = random.pick(METHODS.filter((one) => one !== "CONNECT" && one !== "POST"));
  const { body, ...request } = right(matter, random);
  const isBodyless = ["GET", "HEAD", "OPTIONS", "TRACE"].includes(method);
  const allowed = method === "OPTIONS" ? 204 : 405;
  return { ...request, body: isBodyless ? undefined : body, kind: "method trick", method, right: [allowed] };
}

export function pathTrick(matter: FuzzMatter, random: Random): FuzzRequest {
  const { path } = matter;
  const trick = random.pick([
    `/${path}`,
    path.toUpperCase(),
    `${path}/..`,
    `${path}%00`,
    `${path};x`,
    `${path}%2f..`,
    path.replace("v2", "v1"),
    path.replace("/api", "/api/."),
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/%c0%ae%c0%ae/etc/passwd",
    "/%",
    "/%zz",
    "/.env",
    "/.git/config",
    "/metrics",
    "/admin",
    "/docs/errors/..%2f..%2fpackage.json",
    "/docs/datasets/%3Cscript%3E",
    `/docs/errors/${"a".repeat(3000)}`,
    "/*",
    "/api/v2/*",
    `/${random.text(20)}`,
    "//",
    "/?__proto__[x]=1",
    "/__proto__",
    "/constructor",
    "/\u00e9".normalize("NFD").replaceAll(/[^\x20-\x7e]/g, "%CC%81"),
  ]);
  const isStart = /^\/{1,2}(?:\?|$)/.test(trick);
  return { ...right(matter, random), kind: "path trick", path: trick, right: [isStart ? 405 : 404] };
}
