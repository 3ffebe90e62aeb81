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
	type Case,
} from '../../../sandbox/arrivals';
import { useStage, videoGenerate } from '../../support/stage';

// Every option of Video Generate was once sent through a real gateway, and what vendors received was
// recorded. What the node sends now is what it sent then, so it still arrives.

const models = { video: COLUMNS.map(({ model }) => model) };
const owners = Object.fromEntries(COLUMNS.map(({ model, owner }) => [model, owner]));
const stage = useStage({ models, owners });

let host: FastifyInstance;
beforeAll(async () => {
	host = Fastify();
	const bytes = Buffer.from(PNG, 'base64');
	host.get('/picture.png', async (_request, reply) => await reply.type('image/png').send(bytes));
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
