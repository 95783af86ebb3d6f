import type { Answer } from "../query/answer.ts";

const HEAD = Buffer.from('{"data":{"results":');

/** The JSON envelope around the rows' bytes, which are neither read nor printed. */
export function envelope(answer: Answer, timestamp: string, requestId: string): Buffer {
  const tail =
    `},"pagination":{"limit":${answer.limit},"offset":${answer.offset},"has_more":${answer.hasMore},` +
    `"next_cursor":${JSON.stringify(answer.nextCursor)}},"params":${JSON.stringify(answer.params)},` +
    `"coverage":${coverageText(answer)}` +
    (answer.warnings.length > 0 ? `,"warnings":${JSON.stringify(answer.warnings)}` : "") +
    `,"timestamp":"${timestamp}","request_id":"${requestId}"}`;
  const tailLength = Buffer.byteLength(tail);
  const whole = Buffer.allocUnsafe(HEAD.length + answer.body.length + tailLength);
  HEAD.copy(whole);
  answer.body.copy(whole, HEAD.length);
  whole.write(tail, HEAD.length + answer.body.length, tailLength, "utf8");
  return whole;
}

function coverageText({ coverage }: Answer): string {
  const { complete, from, to, gaps, reasons } = coverage;
  return JSON.stringify({ complete, from, to, gaps, ...(reasons.length > 0 ? { reasons } : {}) });
}
