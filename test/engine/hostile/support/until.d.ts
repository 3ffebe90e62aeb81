/** Waits, for some thousand turns of the event loop, until a condition holds. */
export function until(condition: () => boolean): Promise<void>;
