import { fetchModel } from '../../../nodes/VideoGenerate/fetchModel';
import type { Connection } from '../../../nodes/shared/services/connection';
import { kie } from '../../../nodes/shared/services/kie';
import { openRouter } from '../../../nodes/shared/services/openRouter';
import { createVirtualTime } from '../../support/virtualTime';
import { answerOfKie, toSchema } from '../shared/models/support/answers';

const MANY = Array.from({ length: 20_000 }, (_one, i) => i);
const FOUND = answer(200, answerOfKie(toSchema({ prompt: { type: 'string' } })));
const MISSING = answer(404, { code: 404, msg: 'no such model' });
const BUSY = answer(429, { code: 429, msg: 'Too fast' });

function answer(status: number, json: object) {
	return { status, headers: {}, body: JSON.stringify(json) };
}

/** A service that answers so, the last one for ever; each has a base URL of its own. */
let services = 0;
function serve(...answers: Array<typeof FOUND>) {
	const asked: string[] = [];
	const send: Connection['send'] = async ({ path }) => {
		asked.push(path);
		return answers[Math.min(asked.length, answers.length) - 1];
	};
	return {
		asked,
		connection: { baseUrl: `https://${services++}.example.com`, keyHash: '', send, service: kie },
	};
}

it('asks once for calls at the same time and later', async () => {
	const { asked, connection } = serve(FOUND);
	const fetch = async () => await fetchModel(connection, 'ours/one');
	const [one, other] = await Promise.all([fetch(), fetch()]);
	expect([one, other, await fetch()]).toEqual(Array(3).fill({ model: expect.anything() }));
	expect(asked).toEqual(['/api/v1/models/ours/one/schema']);
});

it('asks again for a model that was not there', async () => {
	const { connection } = serve(MISSING, FOUND);
	expect(await fetchModel(connection, 'ours')).toEqual({ model: undefined });
	expect(await fetchModel(connection, 'ours')).toEqual({ model: expect.anything() });
});

it('asks again for a list that was not there, such as that of OpenRouter', async () => {
	const listed = answer(200, { data: [{ id: 'ours', supported_durations: [5] }] });
	const { asked, connection } = serve(answer(404, {}), listed);
	const ofOpenRouter = { ...connection, service: openRouter };
	expect(await fetchModel(ofOpenRouter, 'ours')).toEqual({ model: undefined });
	expect(await fetchModel(ofOpenRouter, 'ours')).toHaveProperty('model.id', 'ours');
	expect(await fetchModel(ofOpenRouter, 'other')).toEqual({ model: undefined });
	expect(asked).toHaveLength(2);
});

it('tells of a schema that is too large', async () => {
	const { connection } = serve(answer(200, answerOfKie({ properties: { a: { enum: MANY } } })));
	expect(await fetchModel(connection, 'ours')).toEqual({
		reason: {
			message: 'Its schema has more than 20000 fields and values',
			...{ advice: 'Choose another model.', passes: false },
		},
	});
});

it('waits for a service that is busy, if it has the time', async () => {
	expect(await fetchModel(serve(BUSY, FOUND).connection, 'ours')).toHaveProperty('reason');
	const time = createVirtualTime();
	const { connection } = serve(BUSY, BUSY, FOUND);
	const fetching = time.run(fetchModel(connection, 'ours', time.clock()));
	expect(await fetching).toHaveProperty('model.id', 'ours');
	expect(time.now()).toBe(6_000);
});

it('shares what was read with all runs, but trouble with none: another run has its own key and its own Stop', async () => {
	const busy = serve(BUSY);
	const other = { ...busy.connection, send: serve(FOUND).connection.send };
	const [one, two] = await Promise.all([
		fetchModel(busy.connection, 'ours'),
		fetchModel(other, 'ours'),
	]);
	expect(one).toHaveProperty('reason');
	expect(two).toHaveProperty('model.id', 'ours');
	expect(await fetchModel(busy.connection, 'ours')).toEqual(two);
	expect(busy.asked).toHaveLength(1);
});
