import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import {
	ARRIVALS,
	BY_OPENAI_VIDEOS,
	CASES,
	COLUMNS,
	PNG,
	fromWords,
	shapeOf,
	toParameters,
	toWords,
	verdictsOf,
	type Case,
} from '../../../sandbox/arrivals';
import { useStage, videoGenerate } from '../../support/stage';

// Every option of Video Generate was once sent through a real gateway, and given to the plugins of newer
// ones; what vendors received was recorded. What the node sends now is what it sent then, so it still
// arrives.

const models = { video: COLUMNS.map(({ model }) => model) };
const owners = Object.fromEntries(COLUMNS.map(({ model, owner }) => [model, owner]));
const stage = useStage({ models, owners });

let host: FastifyInstance;
beforeAll(async () => {
	host = Fastify();
	const bytes = Buffer.from(PNG, 'base64');
	host.get('/picture.png', async (_request, reply) => await reply.type('image/png').send(bytes));
	host.get('/page.html', async (_request, reply) => await reply.type('text/html').send('<p>'));
	await host.listen({ host: '127.0.0.1', port: 0 });
	stage.credentials.videoGenerationApi.allowPrivateAddresses = true;
});
afterAll(async () => await host.close());

const binary = { data: { data: PNG, mimeType: 'image/png', fileName: 'picture.png' } };

/** What was recorded, by the API of the credential. */
const RECORDED = { auto: ARRIVALS, openAiVideos: BY_OPENAI_VIDEOS };
type Api = keyof typeof RECORDED;
const APIS = Object.keys(RECORDED) as Api[];

/** What becomes of cases: what was sent, and what Dry Run says of it; or the error. */
async function send(cases: Case[], api: Api = 'auto') {
	stage.credentials.videoGenerationApi.api = api;
	const results = new Map<Case, IDataObject>();
	for (const shape of new Set(cases.map(shapeOf))) {
		const alike = cases.filter((one) => shapeOf(one) === shape);
		const rows = alike.flatMap((one, n) =>
			[false, true].map((dryRun) => ({ ...one, dryRun, prompt: `arrival ${n}.` })),
		);
		stage.sandbox.reset();
		const { outputs } = await stage.run(
			videoGenerate(toParameters(alike[0]) as IDataObject, {
				onError: 'continueRegularOutput',
			}),
			fromWords(rows, host.listeningOrigin).map((json) => ({
				json: json as unknown as IDataObject,
				binary,
			})),
		);
		const requests = stage.sandbox.submissions();
		for (const [n, one] of alike.entries()) {
			const [{ json }, { json: dry }] = outputs()[0].slice(2 * n);
			const request = requests.find(({ body }) => (body as IDataObject).prompt === `arrival ${n}.`);
			const body = { ...(request?.body as IDataObject), prompt: 'arrival' };
			results.set(
				one,
				request
					? {
							sent: toWords(body, host.listeningOrigin) as IDataObject,
							path: request.path,
							notes: dry.notes ?? [],
						}
					: (json.error as IDataObject),
			);
		}
	}
	return cases.map((one) => results.get(one)!);
}

const ROWS = APIS.flatMap((api) => COLUMNS.map(({ name }) => [name, api] as const));
it.each(ROWS)('%s, API %s: sends what was recorded', async (column, api) => {
	const cases = CASES.filter((one) => one.column === column);
	const recorded = RECORDED[api].filter((record) => record.column === column);
	const got = await send(cases, api);
	expect(got.map((result, n) => ({ about: cases[n].about, ...result }))).toEqual(
		recorded.map(({ about, sent, path = '/v1/video/generations', notes = [] }) => {
			return { about, sent, path, notes };
		}),
	);
});

/** One of each way in which something would be dropped, by the field that the refusal names. */
const REFUSED: Array<[column: string, field: string, set: Case['set']]> = [
	['Kling', 'Seed', { seed: 42 }],
	['Kling', 'Aspect Ratio', { aspectRatio: '9:16', imageSource: 'binary' }],
	['Jimeng', 'Duration', { duration: 6 }],
	['Wan (text)', 'First Frame', { imageSource: 'binary' }],
	['Wan (image)', 'First Frame', {}],
	['Vidu', 'first one', { images: [{ role: 'lastFrame', imageSource: 'binary' }] }],
	[
		'Vidu',
		'References',
		{ imageSource: 'binary', images: [{ role: 'reference', imageSource: 'binary' }] },
	],
	['Veo (Vertex AI)', 'Image URL', { imageSource: 'url', image: '{pictures}/page.html' }],
	['Seedance', 'Seed', { seed: 1.5 }],
];

it('what would not arrive is refused, by its name and before it is paid for', async () => {
	const cases = REFUSED.map(([column, about, set]) => {
		const { model } = COLUMNS.find(({ name }) => name === column)!;
		return { column, model, set, about };
	});
	const got = await send(cases);
	expect(got.map(({ sent, next }) => ({ sent, next }))).toEqual(
		cases.map(() => ({ sent: undefined, next: 'changeRequest' })),
	);
	for (const [n, { message, description }] of got.entries()) {
		expect(`${String(message)} ${String(description)}`).toContain(cases[n].about);
	}
});

it.each(APIS)('nothing that was recorded with API %s is dropped in silence', (api) => {
	const lost = RECORDED[api].flatMap((record) => {
		const verdicts = verdictsOf(record);
		expect(verdicts.length).toBeGreaterThan(0);
		return verdicts
			.filter(({ verdict }) => !['arrives', 'hinted', 'refused'].includes(verdict))
			.map((one) => [record.column, record.about, one]);
	});
	expect(lost).toEqual([]);
	expect(RECORDED[api]).toHaveLength(CASES.length);
});
