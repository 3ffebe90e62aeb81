/**
 * What becomes of a video with all settings of a service's example, by the service's name in
 * `sandbox/services/records.js`: it `works`, with each documented setting where the page wants it; or it
 * does not, for this reason. Without an entry, only what concerns money is checked.
 */
export const EXPECTED: Record<string, 'works' | RegExp> = {};
