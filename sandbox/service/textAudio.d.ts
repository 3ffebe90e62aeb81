/** The samples that the sandbox sends as sound. */
export function tone(): Buffer;
