import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../../../sandbox/service';
import { plannedRows, useStage, videoGenerate } from '../../support/stage';
import { sendBack } from './sendBack';

// Something is mended and run again, while expressions elsewhere give another value each time.

const MOVING: Array<[what: string, parameters: IDataObject]> = [
	['a random seed', { options: { seed: '={{ Math.floor(Math.random()*1e6) }}' } }],
	['a seed that counts', { options: { seed: '={{ $json.pass || 0 }}' } }],
	[
		'a seed by hand that counts',
		{ options: { additionalFields: '={ "metadata": { "seed": {{ $json.pass || 0 }} } }' } },
	],
	[
		'the execution in Additional Fields',
		{ options: { additionalFields: '={"user": "{{ $execution.id }}"}' } },
	],
	['the time in Additional Fields', { options: { additionalFields: '={"at": "{{ $now }}"}' } }],
	[
		'the time and a random number in Negative Prompt',
		{ options: { negativePrompt: '=No {{ $now.toMillis() }} {{ Math.random() }}' } },
	],
];

const stage = useStage();
const count = () => ({
	submitted: stage.sandbox.submissions().length,
	paid: stage.sandbox.tasks().length,
});

const PASSES = 5;

const FAILED: Plan = { outcome: 'FAILURE', renderMs: 0 };
const LOST: Plan = { poll: { always: 'unauthorized' } };
const UNCLEAR: Plan = { submit: { always: 'acceptThen500' } };

/** An item with one field that counts. */
const itemsOf = (plan: Plan) =>
	plannedRows(plan).map(({ json: { prompt } }) => ({ json: { prompt, row: { n: 0 } } }));

/** Each pass of a loop over what fails pays for nothing more. */
async function expectOnePayment(plans: Plan[], prompt: string, moving?: IDataObject) {
	for (const plan of plans) {
		stage.sandbox.reset();
		const result = await sendBack(stage, itemsOf(plan), { prompt, ...moving }, { passes: PASSES });
		expect(result.runs('Video').length).toBeGreaterThanOrEqual(PASSES);
		const last = result.runs('Count').at(-1)?.data?.main[0]?.[0].json;
		expect(last?.pass).toBeGreaterThanOrEqual(PASSES - 1);
		expect((last?.row as IDataObject).n).toBe(last?.pass);
		const passes = result.runs('Video').map(({ data }) => data?.main[1]?.[0].json.error);
		expect(JSON.stringify(passes)).not.toMatch(/paired|Prompt/);
		expect([plan, count()]).toEqual([plan, { submitted: 1, paid: 1 }]);
	}
}

describe.each(MOVING)('%s', (_what, moving) => {
	const options = moving.options as IDataObject;

	/** What a person may change so that the refused ones are accepted. */
	const mends: Array<[what: string, mended: IDataObject]> = [
		['a prompt', { prompt: "={{ $json.prompt.replace('bad', 'good') }}" }],
		['an expression that gives the same', { prompt: '={{ $json.prompt + "" }}' }],
		['how to wait', { options: { ...options, maxWait: 20, fileName: '={{ $now }}' } }],
	];

	it.each(mends)('a retry with %s mended pays for what is missing', async (_mend, mended) => {
		for (const [done, bad] of [
			[5, 2],
			[3, 3],
		]) {
			stage.sandbox.reset();
			const plans = [...Array(done).fill({}), ...Array(bad).fill({ submit: ['forbidden'] })];
			const items = plannedRows(...plans);
			for (const { json } of items.slice(done)) json.prompt = `bad ${String(json.prompt)}`;
			const failed = await stage.run(videoGenerate(moving), items);
			expect([failed.status, count().paid]).toEqual(['error', done]);
			const { credentials } = stage;
			const node = videoGenerate({ ...moving, ...mended });
			let last = await stage.engine.retry(failed, { node, credentials });
			// A new prompt is a new plan, which is refused once more by its own.
			if (last.status === 'error') last = await stage.engine.retry(last, { node, credentials });
			expect(last.status).toBe('success');
			expect(count().paid).toBe(done + bad);
			const ids = last.outputs()[0].map(({ json }) => json.task_id);
			expect(new Set(ids).size).toBe(done + bad);
		}
	});

	it('five passes of a loop with a counter pay once', async () => {
		// A failed one is another video if its request is another, the seed aside.
		const isMoving = JSON.stringify(moving).includes('$now');
		const plans = [...(isMoving ? [] : [FAILED]), LOST, UNCLEAR];
		await expectOnePayment(plans, '={{ $json.prompt }}', moving);
	});
});

describe('five passes of a loop whose prompt has a moving part', () => {
	it.each(['={{ $json.prompt }} {{ $now }}', "={{ $('Click').item.json.prompt + Math.random() }}"])(
		'pay once for what is lost or unclear: %s',
		async (prompt) => {
			await expectOnePayment([LOST, UNCLEAR], prompt);
		},
	);
});

it.each<[what: string, before: IDataObject, after: IDataObject]>([
	['an empty option', {}, { options: { additionalFields: '{}', negativePrompt: '' } }],
	[
		'an option at its default',
		{},
		{ options: { modelFamily: 'auto', film: { chainShots: false } } },
	],
	['a line', {}, { prompt: '=\n{{ $json.prompt }} ' }],
	['a number as text', { options: { seed: 5 } }, { options: { seed: '5' } }],
	[
		'spaces in JSON',
		{ options: { additionalFields: '{"a":1,"b":2}' } },
		{ options: { additionalFields: '{ "b": 2, "a": 1 }' } },
	],
])(
	'a retry with %s more sends the same request, and so sends none',
	async (_what, before, after) => {
		const base = { prompt: '={{ $json.prompt }}' };
		for (const paid of [{}, { submit: { always: 'acceptThen500' } }] as Plan[]) {
			stage.sandbox.reset();
			const items = plannedRows(paid, { submit: ['forbidden'] });
			const failed = await stage.run(videoGenerate({ ...base, ...before }), items);
			const { credentials } = stage;
			const node = videoGenerate({ ...base, ...after });
			await stage.engine.retry(failed, { node, credentials });
			const bodies = stage.sandbox.submissions().map(({ body }) => JSON.stringify(body));
			expect(bodies.filter((body) => body.includes('video 0'))).toHaveLength(1);
		}
	},
);
