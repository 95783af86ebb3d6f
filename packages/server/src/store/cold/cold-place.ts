/** A bucket of an S3-compatible object store. */
export type S3Place = {
  readonly kind: "s3";
  /** With the bucket and, where there is one, a prefix; no slash at its end. */
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
};

/** Where old rows go: a bucket for the embedded engine, or a policy that the operator's servers have. */
export type ColdPlace = S3Place | { readonly kind: "policy"; readonly policy: string };

/** What is moved: rows whose whole week is older than so many days. */
export type Cooling = { readonly place: ColdPlace; readonly afterDays: number };

/** Of the embedded engine. Its first volume has the name that the engine gives to what a table has without a policy. */
export const OWN_POLICY = "almanac_cold";
export const OWN_DISK = "cold_s3";
/** The volume of old rows, in an operator's policy too. */
export const COLD_VOLUME = "cold";

export const policyOf = (place: ColdPlace): string => (place.kind === "s3" ? OWN_POLICY : place.policy);
