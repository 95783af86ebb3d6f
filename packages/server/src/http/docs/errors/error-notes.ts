import type { ErrorCode } from "../../../definition/errors.ts";

type Note = { readonly means: string; readonly related: readonly ErrorCode[] };

/** What the page of an error says beside its title and what to do. */
export const ERROR_NOTES: Readonly<Record<ErrorCode, Note>> = {
  MALFORMED_JSON: {
    means:
      "The body could not be read as one JSON object: it is cut off, empty, not JSON, an array or a bare value, nested too deeply, or names a key twice.",
    related: ["UNSUPPORTED_MEDIA_TYPE", "INVALID_REQUEST"],
  },
  MISSING_AGENT_ID: {
    means: "agent_id says which dataset is asked. The body has none.",
    related: ["INVALID_AGENT_ID", "UNKNOWN_AGENT"],
  },
  INVALID_AGENT_ID: {
    means: 'agent_id is there but is not a whole number: a string such as "574", a fraction, null.',
    related: ["MISSING_AGENT_ID", "UNKNOWN_AGENT"],
  },
  INVALID_REQUEST: {
    means:
      "The request itself, not a dataset's parameter, is not as it should be: an unknown field beside params, a missing Host header. Filters belong into params.",
    related: ["INVALID_PARAMS", "MALFORMED_JSON"],
  },
  INVALID_PARAMS: {
    means:
      "A parameter of the dataset is not known, missing, not a string, or has a value that does not parse or is out of range. The message names the nearest known name. Nothing was read: a filter that is dropped silently would give somebody else's data.",
    related: ["INVALID_REQUEST", "INVALID_PAGINATION"],
  },
  INVALID_PAGINATION: {
    means:
      "limit or offset is out of range, or the cursor is none that this question was given: changed, cut off, of other filters, too old, or sent together with an offset.",
    related: ["INVALID_PARAMS"],
  },
  INVALID_FORMAT: {
    means: "formatter_config holds something else than a format_type that is known.",
    related: ["NOT_ACCEPTABLE"],
  },
  UNAUTHENTICATED: {
    means:
      "There is no key, or it is mistyped, unknown, expired or revoked; in the console there is no session. One message for all of these: it must not tell them apart.",
    related: ["FORBIDDEN"],
  },
  FORBIDDEN: {
    means:
      "The key is valid, but its plan or its own list of datasets does not include this one; in the console, the user's role does not include what was asked.",
    related: ["UNAUTHENTICATED", "UNKNOWN_AGENT"],
  },
  PASSWORD_CHANGE_REQUIRED: {
    means:
      "The user signed in with a first password that somebody else made. Until it is changed nothing else is answered in the console.",
    related: ["UNAUTHENTICATED", "FORBIDDEN"],
  },
  UNKNOWN_AGENT: {
    means: "No dataset has this number. The catalogue is on the first page of this documentation.",
    related: ["INVALID_AGENT_ID", "FORBIDDEN"],
  },
  NOT_FOUND: {
    means: "There is nothing at this path: a wrong address, or a trailing slash too many.",
    related: ["METHOD_NOT_ALLOWED"],
  },
  METHOD_NOT_ALLOWED: {
    means: "The path is right, the method is not. The Allow header names those that are; the endpoint takes POST only.",
    related: ["NOT_FOUND"],
  },
  NOT_ACCEPTABLE: {
    means: "The Accept header rules out every format the service can give.",
    related: ["INVALID_FORMAT", "UNSUPPORTED_MEDIA_TYPE"],
  },
  CONFLICT: {
    means:
      "The change fits the rules, but not what is there already: an address that is taken, a key that is revoked or replaced, an account that is disabled or has as many keys or users as it may, or your own user or account.",
    related: ["INVALID_REQUEST"],
  },
  BODY_TOO_LARGE: {
    means: "A question is never so large. Lists hold at most 200 values.",
    related: ["MALFORMED_JSON"],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    means:
      "Content-Type is missing or names something other than JSON, another character set than UTF-8, or a compressed body.",
    related: ["MALFORMED_JSON"],
  },
  RATE_LIMITED: {
    means:
      "The key used its requests of this minute, burst included; in the console, somebody tried to sign in too often. The wait in Retry-After is exact: a request after it is answered.",
    related: ["UNAVAILABLE"],
  },
  INTERNAL: {
    means: "A fault of the service. The cause is in its log under the request_id, and nothing of it in the answer.",
    related: ["UNAVAILABLE"],
  },
  UNAVAILABLE: {
    means:
      "The store or the control records do not answer, the service sheds load, or it is being stopped. It says nothing about the question.",
    related: ["QUERY_TIMEOUT", "RATE_LIMITED"],
  },
  QUERY_TIMEOUT: {
    means: "The question took more time or memory than one may. Trying it again unchanged mostly ends alike.",
    related: ["UNAVAILABLE"],
  },
};
