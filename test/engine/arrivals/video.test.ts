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

/** What becomes of cases of one shape: what was sent, or the sentence of the refusal. */
async function send(cases: Case[]) {
	const rows = cases.map((one, n) => ({ ...one, prompt: `arrival ${n}.` }));
	const { outputs } = await stage.engine.run({
		node: videoGenerate(toParameters(cases[0]) as IDataObject, {
			onError: 'continueRegularOutput',
		}),
		items: fromWords(rows, host.listeningOrigin).map((json) => ({
			json: json as unknown as IDataObject,
			binary,
		})),
		credentials: stage.credentials,
	});
	const bodies = stage.sandbox.submissions().map(({ body }) => body as IDataObject);
	return outputs()[0].map(({ json }, n) => {
		const body = bodies.find(({ prompt }) => prompt === `arrival ${n}.`);
		if (body) return { sent: toWords({ ...body, prompt: 'arrival' }, host.listeningOrigin) };
		const { message, description } = json.error as IDataObject;
		return { refused: { message: String(message).replace(/ \[item \d+\]$/, ''), description } };
	});
}

const shapes = [...new Set(CASES.map(shapeOf))];

it.each(COLUMNS.map(({ name }) => name))('%s: sends what was recorded', async (column) => {
	for (const shape of shapes) {
		const ofColumn = CASES.filter((one) => one.column === column && shapeOf(one) === shape);
		if (ofColumn.length === 0) continue;
		stage.sandbox.reset();
		const got = await send(ofColumn);
		const recordOf = ({ about }: Case) =>
			ARRIVALS.find((record) => record.column === column && record.about === about);
		const wanted = ofColumn.map((one) => {
			const { sent, refused } = recordOf(one) ?? {};
			return { about: one.about, ...(sent ? { sent } : { refused }) };
		});
		expect(got.map((result, at) => ({ about: ofColumn[at].about, ...result }))).toEqual(wanted);
	}
});

it('all that was recorded arrives, or was refused before it was paid for', () => {
	const others = ARRIVALS.map((record) => ({ ...record, ...judge(record) })).filter(
		({ verdict }) => verdict !== 'arrives' && verdict !== 'refused',
	);
	expect(others).toEqual([]);
	expect(ARRIVALS).toHaveLength(CASES.length);
});
