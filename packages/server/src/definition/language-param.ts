import { languageCode } from "./language-code.ts";
import { param, type Param } from "./param.ts";

const TAG = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/;

/** A language by its code or tag ("en", "EN", "en-GB"); bound as the code in stored posts. */
export const language = (): Param =>
  param({
    type: "language code",
    schema: { type: "string", pattern: TAG.source },
    parse: (text) => {
      const code = TAG.test(text.trim()) ? languageCode(text.trim()) : "";
      return code === "" ? { ok: false, expected: "a language code (ISO 639-1), e.g. en" } : { ok: true, value: code };
    },
  });
