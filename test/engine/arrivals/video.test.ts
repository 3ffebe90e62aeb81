import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import {
	ARRIVALS,
	BY_OPENAI_VIDEOS,
	CASES,
	COLUMNS,
	PNG,
	combine,
	fromWords,
	shapeOf,
	toParameters,
	toWords,
	verdictsOf,
	type Case,
} from '../../../sandbox/arrivals';
import { seededRandom } from '../../../sandbox/seededRandom';
import { useStage, videoGenerate } from '../../support/stage';
import { REFUSED } from './refused';

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

it('what would not arrive is refused, by its name and before it is paid for', async () => {
	const modelOf = (column: string) => COLUMNS.find(({ name }) => name === column)!.model;
	const cases = REFUSED.map(({ column, parameter, value, set }) => {
		return { ...{ column, model: modelOf(column), set }, about: `${parameter}: ${value}` };
	});
	const got = await send(cases);
	const rowOf = (n: number) => ({ column: cases[n].column, about: cases[n].about });
	expect(got.map(({ sent, message, next }, n) => ({ ...rowOf(n), sent, message, next }))).toEqual(
		REFUSED.map(({ parameter }, n) => ({
			...rowOf(n),
			message: expect.stringContaining(parameter) as string,
			next: 'changeRequest',
		})),
	);
});

it.each(APIS)('API %s: a combination is sent as its parts were, or refused', async (api) => {
	const cases = combine(CASES, 8, seededRandom(1));
	const got = (await send(cases, api)) as Array<{ sent?: IDataObject; notes?: string[] }>;
	let checked = 0;
	for (const [n, { column, set }] of cases.entries()) {
		const { sent, notes = [] } = got[n];
		if (!sent) continue;
		// Some models take these two as one field.
		const { aspectRatio, resolution, ...others } = set;
		const whole: object = aspectRatio && resolution ? others : set;
		const isPart = ([name, value]: [string, unknown]) =>
			JSON.stringify(whole[name as never]) === JSON.stringify(value);
		// An image is written otherwise beside a last frame.
		const withImages = (part: object) =>
			'imageSource' in part ? { images: undefined, ...part } : part;
		const parts = RECORDED[api].filter(
			(one) => one.column === column && Object.entries(withImages(one.set)).every(isPart),
		);
		for (const part of parts) {
			expect(sent).toMatchObject(part.sent);
			expect(notes).toEqual(expect.arrayContaining(part.notes ?? []));
		}
		checked += parts.length;
	}
	expect(checked).toBeGreaterThan(200);
});

/**
 * How often something is refused before it is billed, or dropped after the node has said so, by model.
 * `gateway` is that of August 2026; with "(image)", a plugin is told that there is an image.
 */
const NOT_ALL = {
	'Veo by its short name, gateway, refused': 26,
	'Veo by its short name, google 1.0.3, refused': 6,
	'Seedance 2.0, doubao 1.0.0, refused': 1,
	'Seedance 2.0, doubao 1.1.0, refused': 1,
	'Seedance 2.5, doubao 1.0.0, refused': 1,
	'Seedance 2.5, doubao 1.1.0, refused': 2,
	'Kling 3.0, gateway, hinted': 7,
	'Vidu Q3, gateway, hinted': 8,
	'Vidu Q3, vidu 1.1.0, refused': 1,
	'MiniMax H3, gateway, refused': 30,
	'Vidu, gateway, hinted': 6,
	'Wan 2.7 (text), gateway, hinted': 6,
	'Wan 2.7 (image), gateway, hinted': 23,
	'Wan 3.0, gateway, hinted': 20,
	'Wan 3.0, alibaba 1.5.0, refused': 1,
	'Grok Imagine, gateway, refused': 37,
};

const OF_API = {
	auto: {
		'Kling, kling 1.0.0 (image), refused': 14,
		'Kling, kling 1.2.0 (image), refused': 14,
	},
	openAiVideos: { 'Kling, kling 1.0.0, hinted': 16 },
};

it.each(APIS)('nothing that was recorded with API %s is dropped in silence', (api) => {
	const counts: Record<string, number> = {};
	for (const record of RECORDED[api]) {
		const verdicts = verdictsOf(record);
		expect(verdicts.length).toBeGreaterThan(1);
		for (const { of, verdict } of verdicts.filter((one) => one.verdict !== 'arrives')) {
			const name = [record.column, of, verdict].join(', ');
			counts[name] = (counts[name] ?? 0) + 1;
		}
	}
	expect(counts).toEqual({ ...NOT_ALL, ...OF_API[api] });
	expect(RECORDED[api]).toHaveLength(CASES.length);
});
