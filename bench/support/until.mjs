export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The first true value that `find` gives, asked every so often. */
export async function until(find, withinMs, what, everyMs = 200) {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const value = await find();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain for ${what}`);
		await pause(everyMs);
	}
}
