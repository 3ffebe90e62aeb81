import { createSandbox, type Sandbox } from '../../sandbox/service';
import { KEY, planned } from '../support/stage';

// What Google's pages and client say of the Gemini API, and what people who called it saw.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await createSandbox({ renderMs: 0, profile: 'google' });
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const ORDER = {
	...{ model: 'gemini-omni-1.1-flash', input: 'A boat', background: true },
	response_format: { type: 'video', delivery: 'uri', duration: '8s' },
};
interface Interaction {
	id: string;
	status: string;
	steps?: Array<{ type: string; content?: Array<{ type: string; uri?: string; text?: string }> }>;
	error?: { message: string };
}

async function ask(path: string, body?: object, key = KEY) {
	const response = await fetch(`${sandbox.url}/v1beta/${path}`, {
		...(body && { method: 'POST', body: JSON.stringify(body) }),
		headers: { 'x-goog-api-key': key },
	});
	return { status: response.status, json: (await response.json()) as Interaction };
}

it('renders an order, and gives the file to the key alone', async () => {
	const { json } = await ask('interactions', ORDER);
	expect(json).toMatchObject({
		status: 'in_progress',
		id: expect.stringMatching(/^v1_/) as string,
	});
	const done = (await ask(`interactions/${json.id}`)).json;
	const [video] = done.steps!.find(({ type }) => type === 'model_output')!.content!;
	expect([done.status, video.type]).toEqual(['completed', 'video']);
	const withKey = await fetch(video.uri!, { headers: { 'x-goog-api-key': KEY } });
	expect(withKey.headers.get('content-type')).toBe('video/mp4');
	await withKey.arrayBuffer();
	expect((await fetch(video.uri!)).status).toBe(400);
	expect(sandbox.tasks()).toMatchObject([{ dropped: [] }]);
});

it('ends what a filter refuses with a text alone', async () => {
	const input = planned('A boat', { outcome: 'filtered', failReason: 'No' });
	const { json } = await ask('interactions', { ...ORDER, input });
	const { status, steps } = (await ask(`interactions/${json.id}`)).json;
	const output = steps!.find(({ type }) => type === 'model_output')!;
	expect([status, output.content]).toEqual(['completed', [{ type: 'text', text: 'No' }]]);
});

it.each([
	['a wrong key', 'interactions', ORDER, 'wrong', 400, /API key not valid/],
	[
		'a task that it does not know',
		'interactions/none',
		undefined,
		KEY,
		400,
		/Invalid interaction name/,
	],
	[
		'a model that it does not have',
		'interactions',
		{ ...ORDER, model: 'veo-3.1' },
		KEY,
		404,
		/not found/,
	],
	[
		'a length that is no text',
		'interactions',
		{ ...ORDER, response_format: { type: 'video', duration: 8 } },
		...([KEY, 400, /duration/] as const),
	],
	[
		'the address of a picture',
		'interactions',
		{ ...ORDER, input: [{ type: 'image', uri: 'https://example.com/a.png' }] },
		...([KEY, 400, /data and mime_type/] as const),
	],
])('refuses %s', async (_what, path, body, key, status, words) => {
	const answer = await ask(path, body, key);
	expect([answer.status, answer.json.error?.message]).toEqual([
		status,
		expect.stringMatching(words),
	]);
	expect(sandbox.tasks()).toEqual([]);
});
