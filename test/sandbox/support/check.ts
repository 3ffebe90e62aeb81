import { checkService, type CheckResult, type CheckSettings } from '../../../sandbox/check';

export const KEY = 'sandbox-key';

let passed = 0;
const realNow = Date.now;

/** No time passes but what is waited for; the sandbox in this process lives in the same time. */
export function useOwnTime() {
	const start = realNow();
	beforeAll(() => void jest.spyOn(Date, 'now').mockImplementation(() => start + passed));
	afterAll(() => jest.restoreAllMocks());
}

const pauses: number[] = [];
const pauseInTests = async (ms: number) => {
	pauses.push(ms);
	passed += ms;
};
/** How long the last checks have waited, pause by pause. */
export const takePauses = () => pauses.splice(0);

/** A check as the command makes it, with what it says to the person meanwhile. */
export async function check(
	{ url }: { url: string },
	settings: Partial<CheckSettings> = {},
): Promise<CheckResult & { said: string[] }> {
	const said: string[] = [];
	const result = await checkService({
		baseUrl: url,
		key: KEY,
		textKey: KEY,
		headerName: 'x-goog-api-key',
		keyInQuery: false,
		pause: pauseInTests,
		say: (line) => void said.push(line),
		...settings,
	});
	return { ...result, said };
}

/** One render, agreed to in advance. */
export const ordering = (model: string) => ({ render: model, mayRender: async () => true });

/** The rows of a verdict, by their names. */
export const named = ({ rows }: CheckResult, verdict: string) =>
	rows.filter((row) => row.verdict === verdict).map(({ row }) => row);

export const seenOf = ({ rows }: CheckResult, name: string) =>
	rows.find(({ row }) => row === name)?.seen;
