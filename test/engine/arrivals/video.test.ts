import Fastify, { type FastifyInstance } from 'fastify';
import type { IDataObject } from 'n8n-workflow';

import {
	ARRIVALS,
	CASES,
	COLUMNS,
	PNG,
	fromWords,
	judge,
	shapeOf,
	toParameters,
	toWords,
	type Case,
} from '../../../sandbox/arrivals';
import { useStage, videoGenerate } from '../../support/stage';
import { REFUSED } from './refused';

// Every option of Video Generate was once sent through a real gateway, and what its vendors received
// was recorded. What the node sends now is what it sent then, so it still arrives.

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

/** What becomes of cases: what was sent, or the error. */
async function send(cases: Case[]) {
	const results = new Map<Case, IDataObject>();
	for (const shape of new Set(cases.map(shapeOf))) {
		const alike = cases.filter((one) => shapeOf(one) === shape);
		const rows = alike.map((one, n) => ({ ...one, prompt: `arrival ${n}.` }));
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
		const bodies = stage.sandbox.submissions().map(({ body }) => body as IDataObject);
		for (const [n, { json }] of outputs()[0].entries()) {
			const body = bodies.find(({ prompt }) => prompt === `arrival ${n}.`);
			const sent = body && toWords({ ...body, prompt: 'arrival' }, host.listeningOrigin);
			results.set(alike[n], sent ? { sent: sent as IDataObject } : (json.error as IDataObject));
		}
	}
	return cases.map((one) => results.get(one)!);
}

it.each(COLUMNS.map(({ name }) => name))('%s: sends what was recorded', async (column) => {
	const cases = CASES.filter((one) => one.column === column);
	const recorded = ARRIVALS.filter((record) => record.column === column);
	const got = await send(cases);
	expect(got.map((result, n) => ({ about: cases[n].about, ...result }))).toEqual(
		recorded.map(({ about, sent }) => ({ about, sent })),
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

it('all that was recorded arrives', () => {
	const judged = ARRIVALS.map((record) => ({ ...record, ...judge(record) }));
	expect(judged.filter(({ verdict }) => verdict !== 'arrives')).toEqual([]);
	expect(ARRIVALS).toHaveLength(CASES.length);
});
