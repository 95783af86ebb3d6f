/** Whether a source's or a text's language tag (`en`, `en-GB`) is English. */
export const isEnglish = (lang: string): boolean => /^en(?:[-_]|$)/i.test(lang);
