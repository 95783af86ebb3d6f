import { afterAll, beforeAll } from "vitest";
import { promiseAlike } from "./200-alike.ts";
import { promiseGaps } from "./200-gaps.ts";
import { promiseOpenapi } from "./200-openapi.ts";
import { promiseRows } from "./200-rows.ts";
import { promiseNotModified } from "./304-not-modified.ts";
import { promiseMistakes } from "./400-mistakes.ts";
import { promiseNoToken } from "./401-no-token.ts";
import { promiseNotEntitled } from "./403-not-entitled.ts";
import { promiseNotFound } from "./404-not-found.ts";
import { promiseMethod } from "./405-method.ts";
import { promiseNotAcceptable } from "./406-not-acceptable.ts";
import { promiseTooLarge } from "./413-too-large.ts";
import { promiseMediaType } from "./415-media-type.ts";
import { promiseRateLimited } from "./429-rate-limited.ts";
import { promiseInternal } from "./500-internal.ts";
import { promiseUnavailable } from "./503-unavailable.ts";
import { openService, type Service } from "./service.ts";

// All suites share one engine, because starting one takes seconds.
let opened: Service | undefined;
const service = (): Service => {
  if (opened === undefined) throw new Error("the service did not open");
  return opened;
};
beforeAll(async () => {
  opened = await openService();
});
afterAll(() => opened?.close(), 60_000);

promiseRows(service);
promiseAlike(service);
promiseGaps(service);
promiseOpenapi(service);
promiseNotModified(service);
promiseMistakes(service);
promiseNoToken(service);
promiseNotEntitled(service);
promiseNotFound(service);
promiseMethod(service);
promiseNotAcceptable(service);
promiseTooLarge(service);
promiseMediaType(service);
promiseRateLimited(service);
promiseInternal(service);
promiseUnavailable(service);
