/**
 * Counts the signals that get more listeners than Node.js thinks sane: for each it prints a warning
 * of a memory leak into n8n's log.
 */
export function watchSignals(): { crowded(): number; restore(): void };
