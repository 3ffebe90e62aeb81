import { arrives, failsWith } from '../row';

/** In pieces, slowly, with pauses: progress counts, not the time in total. */
export const streams = [
	arrives('whole, with its length', {}, ['all 200']),
	arrives('in chunks, without a length', { content: 'noLength' }, ['all 200']),
	arrives('until the connection ends, without a length', { content: { closeDelimited: true } }, [
		'all 200',
	]),
	arrives('thirty megabytes', { sizeBytes: 30_000_000 }, ['all 200']),
	arrives('late', { content: 'slow' }, ['all 200'], { hurry: 1 }),
	arrives(
		'slower than the time-out in total, but never still',
		{ content: { pieceDelayMs: 250 } },
		['all 200'],
		{ options: { timeout: 1 }, hurry: 1 },
	),
	arrives(
		'still in the middle, then goes on',
		{ content: 'stall' },
		['all 200, left', 'rest 206'],
		{
			options: { timeout: 30 },
		},
	),
	failsWith(
		/the download ended early/,
		'still every time, without parts',
		{ range: false, content: { always: 'stall' } },
		['all 200, left', 'all 200, left'],
		{
			options: { timeout: 30, retries: 1 },
			fields: {
				description: expect.stringMatching(/No data arrived for 30 seconds after 1000 bytes/),
			},
			halvesOnVersion1: 2,
		},
	),
];
