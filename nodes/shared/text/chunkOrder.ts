/** How the chunks of a candidate and its finish reasons follow each other. */
export interface ChunkOrder {
	/** @param hasContent whether the chunk brings anything but thoughts */
	note: (hasContent: boolean, hasReason: boolean) => void;
	/**
	 * Whether the reason came as the vendor sends it, with the last chunk alone; `undefined` where
	 * there was only one chunk. Others write `STOP` into every chunk, where it says nothing about the
	 * end.
	 */
	reasonCameLast: () => boolean | undefined;
}

export function createChunkOrder(): ChunkOrder {
	let hadContent = false;
	let hadReason = false;
	/** A chunk with content had no reason. */
	let hadNone = false;
	/** Content came behind a reason. */
	let wentOn = false;
	/** A chunk without content, such as the usage record, came behind content and reason. */
	let isOver = false;
	return {
		note(hasContent, hasReason) {
			if (hasContent && hadReason) wentOn = true;
			if (hasContent && !hasReason) hadNone = true;
			hadContent ||= hasContent;
			hadReason ||= hasReason;
			if (!hasContent && hadContent && hadReason) isOver = true;
		},
		reasonCameLast: () => (wentOn ? false : hadNone || isOver || undefined),
	};
}
