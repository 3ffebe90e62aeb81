/** Lets every client of this process trust one more certificate; returns the way back. */
export function trust(certificate: string): () => void;
