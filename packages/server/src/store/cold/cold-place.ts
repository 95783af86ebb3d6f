/**
 * The embedded engine's disk in the object store and the policy with it, for its configuration file, which holds the
 * secret and is its owner's alone. The store may be away when the engine starts: nothing is asked of it then.
 */
export function storageXml(place: S3Place): string {
  return `  <storage_configuration>
    <disks><${OWN_DISK}>
      <type>s3</type>
      <endpoint>${escaped(place.url)}/</endpoint>
      <region>${escaped(place.region)}</region>
      <access_key_id>${escaped(place.keyId)}</access_key_id>
      <secret_access_key>${escaped(place.secret)}</secret_access_key>
      <use_environment_credentials>false</use_environment_credentials>
      <skip_access_check>true</skip_access_check>
      <connect_timeout_ms>2000</connect_timeout_ms>
      <request_timeout_ms>10000</request_timeout_ms>
    </${OWN_DISK}></disks>
    <policies><${OWN_POLICY}>
      <volumes>
        <default><disk>default</disk></default>
        <${COLD_VOLUME}><disk>${OWN_DISK}</disk></${COLD_VOLUME}>
      </volumes>
      <move_factor>0</move_factor>
    </${OWN_POLICY}></policies>
  </storage_configuration>
`;
}

/**
 * Settings of every statement: an object store that is away is said within seconds, not after the engine's 500 tries. A
 * request is tried three times, and a read is not begun anew beside that: it waits between, for each part of a table.
 */
export const STORAGE_PROFILE =
  "<s3_retry_attempts>2</s3_retry_attempts><s3_max_single_read_retries>1</s3_max_single_read_retries><s3_slow_all_threads_after_network_error>0</s3_slow_all_threads_after_network_error>";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

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
const OWN_DISK = "cold_s3";
/** The volume of old rows, in an operator's policy too. */
export const COLD_VOLUME = "cold";

export const policyOf = (place: ColdPlace): string => (place.kind === "s3" ? OWN_POLICY : place.policy);
