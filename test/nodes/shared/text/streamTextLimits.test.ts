import { brokeOff, event, listen, opened, play, say, type Step } from './support/source';

// What a streamed answer takes of time and memory, whatever a server sends.

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const times = (count: number, ...steps: Step[]): Step[] =>
	Array.from({ length: count }, () => steps).flat();
const SILENT = /^The service sent nothing more for 10 s \(Timeout\)$/;
const TOO_LONG = /not answer in time/;
const TOO_LARGE = /larger than the 64 MB/;
const MIB = 1024 * 1024;

/** What comes of steps, and how many seconds it takes. */
async function timed(steps: Step[]) {
	const beginMs = Date.now();
	const { result, signal } = await play(steps);
	expect(signal.aborted).toBe(true);
	return { result, seconds: (Date.now() - beginMs) / 1000 };
}

describe('a dripping answer', () => {
	it.each([
		['a byte', 'x'],
		['the beginning of an event', 'data: '],
		['a space', ' '],
	])('is given up where %s is all that comes now and then', async (_what, drop) => {
		const { result, seconds } = await timed([say('Bl'), ...times(1_000, 500, drop)]);
		expect(result).toMatchObject(brokeOff('Bl', SILENT));
		expect(seconds).toBeLessThanOrEqual(13);
	});

	it('is given up before its first chunk, too', async () => {
		const { result, seconds } = await timed(times(1_000, 500, 'd'));
		expect(result).toMatchObject({ kind: 'unclear' });
		expect(seconds).toBeLessThanOrEqual(13);
	});

	it.each([
		['signs of life', ': alive\n\n'],
		['empty lines', '\n'],
		['words', say('a')],
		['objects that say nothing', event({})],
	])('ends after ten minutes where %s go on for ever', async (_what, drop) => {
		const { result, seconds } = await timed([say('Bl'), ...times(500, 5_000, drop)]);
		expect(result).toMatchObject({
			kind: 'unclear',
			trouble: { message: expect.stringMatching(TOO_LONG) },
		});
		expect(seconds).toBeGreaterThan(590);
		expect(seconds).toBeLessThan(620);
	});
});

describe('a bursting answer', () => {
	const rows: Array<[string, Step[]]> = [
		['comments', times(70, `: ${'a'.repeat(MIB)}\n`)],
		['one line without an end', times(70, 'a'.repeat(MIB))],
		['one event without an end', ['data: {"x":"', ...times(70, 'a'.repeat(MIB))]],
		['lists in lists', times(3, `: ${'['.repeat(MIB)}\n`)],
		['more objects than a model writes', times(210, 'data: {}\n\n'.repeat(1_000))],
	];

	it.each(rows)('is given up: %s', async (_what, steps) => {
		const { result } = await timed([say('Bl'), ...steps]);
		expect(result).toMatchObject({
			kind: 'unclear',
			trouble: { message: expect.stringMatching(TOO_LARGE) },
		});
	});

	it('is whole where the model has ended before', async () => {
		const { result } = await timed([
			say('B'),
			say('l', 'STOP'),
			...times(70, `: ${'a'.repeat(MIB)}\n`),
		]);
		expect(result).toMatchObject({ kind: 'answered' });
	});

	it('is read no further than a refusal needs', async () => {
		let read = 0;
		async function* page() {
			for (; read < 100; read++) yield new TextEncoder().encode('a'.repeat(MIB));
		}
		const { result } = await listen(async (signal) => ({
			...opened([], signal),
			status: 400,
			stream: page() as never,
		}));
		expect(result).toMatchObject({ kind: 'refused' });
		expect(read).toBeLessThan(3);
	});
});
