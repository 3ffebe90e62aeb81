/** What the options of Video Download begin with, and what Download Video always has. */
export const DEFAULT_TIMEOUT_S = 120;
export const DEFAULT_RETRIES = 5;
