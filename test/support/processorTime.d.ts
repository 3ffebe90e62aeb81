/** Seconds that `work` takes of the processor, whatever else the machine does. */
export function processorSeconds(work: () => unknown): number;
