/** Watches what this process holds outside of JavaScript's heap, where the bytes of files are. */
export function watchMemory(): { grownBytes(): number };
