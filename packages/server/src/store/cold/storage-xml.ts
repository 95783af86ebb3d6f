import { COLD_VOLUME, OWN_DISK, OWN_POLICY, type S3Place } from "./cold-place.ts";

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

/** Settings of every statement: an object store that is away is said within seconds, not after the engine's 500 tries. */
export const STORAGE_PROFILE =
  "<s3_retry_attempts>2</s3_retry_attempts><s3_slow_all_threads_after_network_error>0</s3_slow_all_threads_after_network_error>";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
