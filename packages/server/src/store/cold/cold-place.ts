import { escaped } from "../embedded/engine-config.ts";

/**
 * Configuration of the embedded engine's disk in the object store and its storage policy. The file contains the secret
 * and is readable by its owner only. The object store is not contacted when the engine starts, so it may be
 * unavailable.
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
 * Settings of every statement: an unavailable object store is reported within seconds, not after the engine's 500
 * attempts. A request is tried three times, and a read is not restarted on top of that, since it waits in between, for
 * each part of a table.
 */
export const STORAGE_PROFILE =
  "<s3_retry_attempts>2</s3_retry_attempts><s3_max_single_read_retries>1</s3_max_single_read_retries><s3_slow_all_threads_after_network_error>0</s3_slow_all_threads_after_network_error>";

/** A bucket of an S3-compatible object store. */
export type S3Place = {
  readonly kind: "s3";
  /** Includes the bucket and the prefix, if any; no trailing slash. */
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
};

/** Destination of old rows: a bucket for the embedded engine, or a storage policy of the operator's servers. */
export type ColdPlace = S3Place | { readonly kind: "policy"; readonly policy: string };

/** Rows are moved once their entire week is older than this many days. */
export type Cooling = { readonly place: ColdPlace; readonly afterDays: number };

/**
 * Policy of the embedded engine. Its first volume is named as the engine names the volume of tables without a policy.
 */
export const OWN_POLICY = "almanac_cold";
const OWN_DISK = "cold_s3";
/** Name of the volume for old rows, in an operator's policy too. */
export const COLD_VOLUME = "cold";

export const policyOf = (place: ColdPlace): string => (place.kind === "s3" ? OWN_POLICY : place.policy);
