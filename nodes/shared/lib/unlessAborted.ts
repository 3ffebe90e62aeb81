/** What a work gives, or `undefined` once the signal fires: the work may hang on unseen. */
export async function unlessAborted<T>(
	work: Promise<T>,
	signal: AbortSignal,
): Promise<{ value: T } | undefined> {
	if (signal.aborted) return undefined;
	let onAbort = () => {};
	const aborted = new Promise<undefined>((resolve) => {
		onAbort = () => resolve(undefined);
		signal.addEventListener('abort', onAbort, { once: true });
	});
	try {
		return await Promise.race([work.then((value) => ({ value })), aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
