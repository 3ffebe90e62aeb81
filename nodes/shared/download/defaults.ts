/** What the options of Video Download begin with, and what Download Video always has. */
export const DEFAULT_TIMEOUT_S = 120;
export const DEFAULT_RETRIES = 5;
/** Of the option Link, and of an agent's links. */
export const DEFAULT_LINK_HOURS = 24;

/** Max Size, which is in megabytes as people count them: of 1024 kilobytes. */
export const toBytes = (megabytes: number | undefined): number | undefined =>
	megabytes === undefined ? undefined : megabytes * 1024 * 1024;
