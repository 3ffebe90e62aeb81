import type { IDataObject } from 'n8n-workflow';

const MAX_START_CHARS = 300;

/** What a safety filter found; nothing where it found nothing. */
export const describeRatings = (ratings: string[]) =>
	ratings.length > 0 ? `Safety ratings: ${ratings.join(', ')}` : undefined;

/** `Usage: 12 prompt, 0 answer, 30 thinking tokens`; counts that are not given are left out. */
export function describeUsage(usage: IDataObject): string | undefined {
	const counts = [
		[usage.promptTokenCount, 'prompt'],
		[usage.candidatesTokenCount, 'answer'],
		[usage.thoughtsTokenCount, 'thinking'],
	].filter(([count]) => typeof count === 'number');
	if (counts.length === 0) return undefined;
	return `Usage: ${counts.map(([count, what]) => `${count} ${what}`).join(', ')} tokens`;
}

/** The start of a text, as a quotation on one line. */
export function quoteStart(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const isLong = line.length > MAX_START_CHARS;
	return `"${isLong ? `${line.slice(0, MAX_START_CHARS)}...` : line}"`;
}
