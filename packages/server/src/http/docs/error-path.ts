/** Where the page of an error is. */
export const errorPath = (code: string): string => `/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`;
