export { AlmanacError, type ErrorDetail } from "./almanac-error.ts";
export type { Answer, Coverage, Gap, Pagination, Rate, Row } from "./answer.ts";
export { createClient, type ClientOptions } from "./create-client.ts";
export { createClientOver, type AskOptions, type Client, type Params, type PagesOptions } from "./create-client.ts";
export type { Download, DownloadFormat, DownloadOptions } from "./download.ts";
export type { SendOptions } from "./send.ts";
export type { Transport } from "./send.ts";
