/** A file, read from its beginning to its end as often as wanted. */
export interface MediaFile {
	sizeBytes: number;
	pieces: () => AsyncGenerator<Uint8Array, void>;
}

/** A file of an incoming item. */
export interface InputFile extends MediaFile {
	/** Names the file at the beginning of a message, such as `Clip 2 (b.mp4)`. */
	label: string;
	/** As n8n has it. */
	name?: string;
}

/** Returns an error with what to do, as n8n shows it. */
export const fileError = (message: string, description: string): Error =>
	Object.assign(new Error(message), { description });
