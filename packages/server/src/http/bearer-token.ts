const BEARER = /^bearer[ \t]+([A-Za-z0-9._~+/-]{1,512}=*)[ \t]*$/i;

/** The token of an Authorization header; undefined when there is none or it is not a bearer token. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined || header.length > 600 ? undefined : BEARER.exec(header)?.[1];
}
